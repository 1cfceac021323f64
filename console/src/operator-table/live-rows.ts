import type { ListAnswer } from './list-definition.ts';

export type AnsweredRows<Row> = Pick<ListAnswer<Row>, 'list' | 'nextCursor'>;

export interface ShownRows<Row> {
  readonly rows: readonly Row[];
  /** Start of the page after the rows shown. The cursor of a later answer would skip rows that moved up meanwhile. */
  readonly nextCursor: string | null;
}

export interface LiveRows<Row> extends ShownRows<Row> {
  /** Keys of rows that have just come in without a reload. */
  readonly fresh: ReadonlySet<string>;
  /** How many new rows are held back. */
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
 * The rows to show after the newest page was requested again. For a reader at rest, new rows come in on top. For a busy reader, the
 * rows stay in place and are updated there, and the number of new rows is shown.
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
  // An empty list has no rows that could move.
  if (atRest || shown.length === 0) return { ...showAll(answer), fresh: new Set(incoming.map(keyOf)) };
  const current = new Map(latest.map((row) => [keyOf(row), row]));
  const rows = shown.map((row) => current.get(keyOf(row)) ?? row);
  return { rows, nextCursor, fresh: NONE, waiting: incoming.length };
}
