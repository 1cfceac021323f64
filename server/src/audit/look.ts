import { type Database, sql, type Tx } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { readBlocks } from './block.ts';
import { checkBlocks, type Fault } from './check.ts';

/** Rows read in one snapshot. */
const ROWS_AT_ONCE = 10_000;
const BLOCKS_AT_ONCE = 1_000n;

/** Blocks from one number to another, both included. */
export interface Span {
  readonly from: bigint;
  readonly to: bigint;
}

/** A span as it was read: its transactions, and how many rows they have. */
export interface CountedSpan extends Span {
  readonly fromTx: bigint;
  readonly toTx: bigint;
  readonly rowCount: number;
}

/** What a look gathers: faults, the blocks it has read, and those whose rows are counted from now on. */
export interface Found {
  readonly faults: Fault[];
  readonly looked: Span[];
  readonly counted: CountedSpan[];
}

/**
 * Checks blocks from `from` to at most `furthest`, as many as fit in one snapshot. Answers the next block, or undefined at the end. With
 * `isCounted`, the rows of these blocks are counted from now on.
 */
export async function lookFrom(
  platform: Platform,
  { from, to: furthest }: Span,
  { faults, looked, counted }: Found,
  isCounted = false,
): Promise<bigint | undefined> {
  const last = furthest - from < BLOCKS_AT_ONCE ? furthest : from + BLOCKS_AT_ONCE - 1n;
  // The snapshot may be read again from its beginning, so what it found is kept only after its end.
  const { to, read, span } = await snapshot(platform.db, async (tx) => {
    const [end] = await tx.query<{ to: bigint | null }>(sql`
      select min(number) as to from (
        select number, sum(row_count) over (order by number) as rows from audit_blocks where number between ${from} and ${last}) b
      where rows >= ${ROWS_AT_ONCE}`);
    const upTo = end!.to ?? last;
    const blocks = await readBlocks(tx, sql`number between ${from} - 1 and ${upTo}`);
    const before = blocks[0] && blocks[0].number < from ? blocks.shift() : undefined;
    const checked = await checkBlocks(
      tx,
      platform.auditSeal,
      blocks,
      before ?? (from === 1n ? undefined : blank(from)),
    );
    const [first, newest] = [blocks[0], blocks.at(-1)];
    return { to: upTo, read: checked, span: first && newest && { fromTx: first.fromTx, toTx: newest.toTx } };
  });
  faults.push(...read.faults);
  if (isCounted && span) counted.push({ from, to, ...span, rowCount: read.rowCount });
  looked.push({ from, to });
  return to < furthest ? to + 1n : undefined;
}

/** A placeholder for a missing block. Its own number reports it. */
const blank = (from: bigint) => ({ number: from - 1n, hash: Buffer.alloc(0), toTx: -1n });

/** Reads in one snapshot. `longest` is how long one statement may take, ms. */
export function snapshot<Result>(
  db: Database,
  work: (tx: Tx) => Promise<Result>,
  longest?: number,
): Promise<Result> {
  return db.tx(async (tx) => {
    await tx.query(sql`set transaction isolation level repeatable read read only`);
    if (longest !== undefined)
      await tx.query(sql`select set_config('statement_timeout', ${String(longest)}, true)`);
    return work(tx);
  }, longest);
}
