let count = 0;

/** Counts a change that this window has asked the server for. */
export function noteAction(): void {
  count += 1;
}

/** The number of changes so far. When it has grown, a list shows its next answer whole, because the user has just changed a row. */
export const actionCount = (): number => count;
