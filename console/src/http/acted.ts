let count = 0;

/** Counts what this window has asked the server to change. */
export function noteAction(): void {
  count += 1;
}

/** How much that is: a list that sees it grow shows its next answer whole, for its reader has just changed a row. */
export const actionCount = (): number => count;
