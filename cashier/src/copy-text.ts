/** Copies text to the clipboard; false when the browser allows no way to do it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // There is no clipboard on plain http, in old web views, and where a policy forbids it. The older way needs a selection.
    return copySelected(text);
  }
}

function copySelected(text: string): boolean {
  const focused = document.activeElement;
  const source = document.createElement('textarea');
  source.value = text;
  source.readOnly = true;
  source.className = 'unseen';
  document.body.append(source);
  source.select();
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    source.remove();
    if (focused instanceof HTMLElement) focused.focus();
  }
}
