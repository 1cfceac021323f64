/** The only file whose functions change the status of an order. They allow only the steps in the contract's tables. */
const HOME = 'server/src/history/transition.ts';

/** Statements elsewhere that change the status of a collection order or a payout. `text` is the text of the file at `path`. */
export function statusWrites(path, text) {
  if (path === HOME) return [];
  const statement =
    /\bupdate\s+(?:collection_orders|payout_orders)\b[^`;]*?\bset\b([^`;]*?)(?:\bwhere\b|\bfrom\b|`|;|$)/gi;
  return [...text.matchAll(statement)]
    .filter(([, columns]) => /(?:^|[\s,(])status\s*=/i.test(columns))
    .map(
      ({ index }) =>
        `${path}:${text.slice(0, index).split('\n').length}: an order's status changes by transition() only`,
    );
}

/**
 * Statuses that SQL compares with numbers. One number means different states in the two directions; the names can be used in SQL
 * too.
 */
export function statusNumbers(path, text) {
  const compared = /\b\w*status\s+(?:not\s+)?(?:in\s*\(|=|<>|when\b|is\s+(?:not\s+)?distinct\s+from)\s*\d/gi;
  return [...text.matchAll(compared)]
    .filter(({ index }) => !/\blet\s+$/.test(text.slice(0, index)))
    .map(
      ({ index }) =>
        `${path}:${text.slice(0, index).split('\n').length}: a status has a name, see platform/db/statuses.ts`,
    );
}
