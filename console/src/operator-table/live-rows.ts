import type { ListAnswer } from './list-definition.ts';

export type AnsweredRows<Row> = Pick<ListAnswer<Row>, 'list' | 'nextCursor'>;

export interface ShownRows<Row> {
  readonly rows: readonly Row[];
  /** Where the page after these rows starts: a later answer's would step over rows that moved up meanwhile. */
  readonly nextCursor: string | null;
}

export interface LiveRows<Row> extends ShownRows<Row> {
  /** Keys of rows that have just come in by themselves. */
  readonly fresh: ReadonlySet<string>;
  /** New rows the reader has not been shown yet. */
  readonly waiting: number;
}

const NONE: ReadonlySet<string> = new Set();

export const showAll = <Row>({ list, nextCursor }: AnsweredRows<Row>): LiveRows<Row> => ({
  rows: list,
  nextCursor,
  fresh: NONE,
  waiting: 0,
});

/**
 * What to show when the newest page has been asked for again. A reader at rest sees new rows come in on top; a
 * reader who is looking at something keeps the rows where they are, each brought up to date in place, and is shown
 * how many wait.
 */
export function mergeLive<Row>(
  { rows: shown, nextCursor }: ShownRows<Row>,
  answer: AnsweredRows<Row>,
  keyOf: (row: Row) => string,
  atRest: boolean,
): LiveRows<Row> {
  const { list: latest } = answer;
  const known = new Set(shown.map(keyOf));
  const firstKnown = latest.findIndex((row) => known.has(keyOf(row)));
  const incoming = firstKnown < 0 ? latest : latest.slice(0, firstKnown);
  // Where nothing stands, nothing can jump.
  if (atRest || shown.length === 0) return { ...showAll(answer), fresh: new Set(incoming.map(keyOf)) };
  const current = new Map(latest.map((row) => [keyOf(row), row]));
  const rows = shown.map((row) => current.get(keyOf(row)) ?? row);
  return { rows, nextCursor, fresh: NONE, waiting: incoming.length };
}
