/** Browser storage that may be missing, full or forbidden. Without it the page works, but remembers nothing. */
function open(place: 'tab' | 'browser'): Storage | undefined {
  try {
    return place === 'tab' ? sessionStorage : localStorage;
  } catch {
    return undefined;
  }
}

export function recall(place: 'tab' | 'browser', key: string): string | undefined {
  return open(place)?.getItem(key) ?? undefined;
}

export function remember(place: 'tab' | 'browser', key: string, value: string): void {
  try {
    open(place)?.setItem(key, value);
  } catch {
    // When the storage is full, the page only remembers less.
  }
}
