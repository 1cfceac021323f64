export interface LiveRows<Row> {
  readonly rows: readonly Row[];
  /** Keys of rows that have just come in by themselves. */
  readonly fresh: ReadonlySet<string>;
  /** New rows the reader has not been shown yet. */
  readonly waiting: number;
}

const NONE: ReadonlySet<string> = new Set();

export const showAll = <Row>(rows: readonly Row[]): LiveRows<Row> => ({ rows, fresh: NONE, waiting: 0 });

/**
 * What to show when the newest page has been asked for again. A reader at rest sees new rows come in on top; a
 * reader who is looking at something keeps the rows where they are, each brought up to date in place, and is told
 * how many wait.
 */
export function mergeLive<Row>(
  shown: readonly Row[],
  latest: readonly Row[],
  keyOf: (row: Row) => string,
  atRest: boolean,
): LiveRows<Row> {
  const known = new Set(shown.map(keyOf));
  const firstKnown = latest.findIndex((row) => known.has(keyOf(row)));
  const incoming = firstKnown < 0 ? latest : latest.slice(0, firstKnown);
  // Where nothing stands, nothing can jump.
  if (atRest || shown.length === 0) return { rows: latest, fresh: new Set(incoming.map(keyOf)), waiting: 0 };
  const current = new Map(latest.map((row) => [keyOf(row), row]));
  return { rows: shown.map((row) => current.get(keyOf(row)) ?? row), fresh: NONE, waiting: incoming.length };
}
