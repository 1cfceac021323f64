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

/** Statuses that SQL compares with numbers: the same number is another state of the other direction. Their names are SQL too. */
export function statusNumbers(path, text) {
  const compared = /\b\w*status\s+(?:not\s+)?(?:in\s*\(|=|<>|when\b|is\s+(?:not\s+)?distinct\s+from)\s*\d/gi;
  return [...text.matchAll(compared)]
    .filter(({ index }) => !/\blet\s+$/.test(text.slice(0, index)))
    .map(
      ({ index }) =>
        `${path}:${text.slice(0, index).split('\n').length}: a status has a name, see platform/db/statuses.ts`,
    );
}
