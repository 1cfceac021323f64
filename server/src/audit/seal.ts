import { leased } from '../platform/db/lease.ts';
import { join, sql, type Tx, violated } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { hashOf, newestBlock, NO_BLOCK } from './block.ts';
import { LEAF, leavesOf, SEALED_KINDS, tableOf, txOf } from './leaves.ts';

/** A block has about so many rows at most: one transaction is never parted. */
const MOST_ROWS = 20_000;
/** So few transactions have fewer rows than that: their rows need not be counted first. */
const FEW = 2_000n;

/** Seals what was committed since the last block; one node at a time. */
export async function sealNew(platform: Platform): Promise<void> {
  await leased(platform, 'audit seal', async () => {
    while (await sealBlock(platform));
    return platform.clock.now();
  });
}

/**
 * Seals one block, and answers whether more waits. It has the rows of all transactions from the last block's end up to the oldest
 * transaction of this database that is still open: their outcome is known, and no later one can get such a number. So each row is
 * in one block, whatever the ids and the order of commits. Two nodes at once make the same number: one of them fails, and nothing
 * is written.
 */
export async function sealBlock(platform: Platform): Promise<boolean> {
  try {
    return await platform.db.tx(async (tx) => {
      await tx.query(sql`set transaction isolation level repeatable read`);
      const last = await newestBlock(tx);
      const from = last?.toTx ?? 0n;
      const { next, horizon } = await horizonOf(tx, from);
      if (next < from)
        throw new Error(
          `the database counts its transactions from ${next}, below the last block's end ${from}: it was restored from a dump; see docs/deploying.md`,
        );
      const to = await endOf(tx, from, horizon);
      const leaves = await leavesOf(tx, from, to);
      if (leaves.length === 0) return false;
      const block = {
        number: (last?.number ?? 0n) + 1n,
        fromTx: from,
        toTx: to,
        rowCount: leaves.length / LEAF,
        leaves,
        sealedAt: platform.clock.now(),
        previous: last?.hash ?? NO_BLOCK,
        keyId: platform.auditSeal.keyId,
      };
      const hash = hashOf(block);
      await tx.query(sql`
        insert into audit_blocks (number, from_tx, to_tx, row_count, leaves, sealed_at, previous, hash, key_id, signature)
        values (${block.number}, ${from}, ${to}, ${block.rowCount}, ${block.leaves}, ${block.sealedAt}, ${block.previous}, ${hash},
          ${block.keyId}, ${platform.auditSeal.sign(hash)})`);
      return to < horizon;
    });
  } catch (error) {
    if (violated(error) !== undefined) return false;
    throw error;
  }
}

/**
 * The number that no transaction of the snapshot has yet, and the lowest, from `from` on, of an open transaction of this database
 * (or the same number). All databases of a server count together: a transaction of another one is told by the connection it runs
 * on. Connections are looked at after the snapshot was taken. So what is open in the snapshot still runs on its connection, which
 * belongs to one database for good, or is not found any more (ended meanwhile, or prepared) and counts as ours.
 */
async function horizonOf(tx: Tx, from: bigint): Promise<{ next: bigint; horizon: bigint }> {
  const [row] = await tx.query<{ next: bigint; oldest: bigint | null }>(sql`
    select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next, (
      select min(open::text::bigint) from pg_snapshot_xip(pg_current_snapshot()) open
      where open::text::bigint >= ${from} and not exists (
        select from pg_stat_activity a where a.backend_xid = open::xid and a.datname <> current_database())) as oldest`);
  const { next, oldest } = row!;
  return { next, horizon: oldest ?? next };
}

/** Where a block from `from` ends: at `horizon`, or after the transaction in which it is full. */
async function endOf(tx: Tx, from: bigint, horizon: bigint): Promise<bigint> {
  if (horizon - from <= FEW) return horizon;
  const waiting = SEALED_KINDS.map(
    (kind) => sql`
      (select ${txOf(kind)} as id from ${tableOf(kind)} where ${txOf(kind)} >= ${from}::bigint and ${txOf(kind)} < ${horizon}::bigint)`,
  );
  const [full] = await tx.query<{ id: bigint }>(sql`
    select id from (${join(waiting, ' union all ')}) w order by id offset ${MOST_ROWS} limit 1`);
  return full ? full.id + 1n : horizon;
}
