import { leased } from '../platform/db/lease.ts';
import { join, sql, type Tx, violated } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { hashOf, newestBlock, NO_BLOCK } from './block.ts';
import { LEAF, leavesOf, SEALED_KINDS, tableOf, txOf } from './leaves.ts';

/** The most rows of a block, roughly: one transaction is never split. */
const MOST_ROWS = 20_000;
/** This many transactions stay below that number of rows, so their rows need not be counted first. */
const FEW = 2_000n;

/** Seals what was committed since the last block, on one node at a time. */
export async function sealNew(platform: Platform): Promise<void> {
  await leased(platform, 'audit seal', async () => {
    while (await sealBlock(platform));
    return platform.clock.now();
  });
}

/**
 * Seals one block; answers whether more rows wait. The block has the rows of all transactions from the last block's end to the oldest open
 * transaction of this database. Their outcome is known, and no later transaction can get such a number. So each row is in exactly one
 * block, whatever the order of ids and commits. When two nodes seal the same number, one of them fails and writes nothing.
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
 * Answers `next`, the first number that no transaction of the snapshot has, and `horizon`, the lowest open transaction of this database
 * from `from` on (or `next`). All databases of a server share the numbers; a transaction's connection tells its database. Connections are
 * read after the snapshot. A transaction whose connection is gone by then (ended, or prepared) counts as ours.
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

/** Where a block from `from` ends: at `horizon`, or after the transaction that fills it. */
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
