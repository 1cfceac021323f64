/** The file whose functions change the status of an order; they let only the steps of the contract's tables through. */
const HOME = 'server/src/history/transition.ts';

/** Statements that change the status of a collection order or a payout elsewhere. `text`: of the file at `path`. */
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
