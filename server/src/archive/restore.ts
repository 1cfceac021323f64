import { type Database, raw, sql, type Tx } from '../platform/db/database.ts';
import { columnList, columnsOf, partitionOf } from '../platform/db/partitions.ts';
import type { Platform } from '../platform/platform.ts';
import { openArchive, readFrame } from './file.ts';
import { copyRows, copyRowsOf, textsOf } from './lines.ts';
import { readArchivedOrder } from './read.ts';
import { underLease } from './run.ts';
import { type Archive, type FrameRow, framesOf, readArchives } from './store.ts';
import { isOrders, keyOf } from './tables.ts';
import type { Step } from './write.ts';

type Texts = readonly (string | null)[];

interface Wanted {
  readonly id: bigint;
  readonly orderId: bigint | null;
  readonly archiveId: bigint | null;
}

const isWaiting = sql`state = 'waiting'`;

/** Restores what somebody asked for. Runs one at a time, on a node that has the owner's connection. */
export async function restoreWaiting(platform: Platform): Promise<void> {
  if (!platform.owner) return;
  const waiting = await platform.db.query(sql`select from archive_restores where ${isWaiting} limit 1`);
  if (waiting.length > 0) await underLease(platform, (owner) => restoreAll(platform, owner));
}

/** The same without the lease. Rows go directly into their month partitions, so no trigger counts them a second time. */
export async function restoreAll(
  platform: Platform,
  owner: Database,
  step: Step = () => undefined,
): Promise<void> {
  const wanted = await owner.query<Wanted>(sql`
    select id, order_id as "orderId", archive_id as "archiveId" from archive_restores where ${isWaiting} order by id`);
  for (const each of wanted) {
    try {
      if (each.orderId === null) await restoreArchive(platform, owner, each.archiveId!, step);
      else await restoreOrder(platform, owner, each.orderId);
      await owner.query(sql`
        update archive_restores set state = 'done', done_at = ${platform.clock.now()}, failure = null where id = ${each.id}`);
    } catch (error) {
      platform.log.error(
        { err: error, restore: String(each.id) },
        'what was asked back from the archive could not be restored',
      );
      await owner.query(sql`update archive_restores set failure = ${String(error)} where id = ${each.id}`);
    }
  }
}

/** Restores one order with everything that belongs to it, in one transaction. An order that is already back stays as it is. */
async function restoreOrder(platform: Platform, owner: Database, orderId: bigint): Promise<void> {
  const rows = await readArchivedOrder(owner, platform.config.archiveDir, orderId);
  await owner.tx(async (tx) => {
    const gone = await tx.query(sql`delete from archived_orders where order_id = ${orderId} returning 1`);
    if (gone.length === 0) return;
    for (const { texts, ...of } of rows) await putBack(tx, of, [texts]);
  });
}

/** Restores all orders of a file that are still in the archive. Their other rows come first, so that no order is back without them. */
async function restoreArchive(
  platform: Platform,
  owner: Database,
  archiveId: bigint,
  step: Step,
): Promise<void> {
  const [orders] = await readArchives(owner, sql`id = ${archiveId} and state = 'removed'`);
  if (!orders || !isOrders(orders.table)) throw new Error(`there is no archive of orders ${archiveId}`);
  const month = orders.month.toISOString().slice(0, 10);
  const others = await readArchives(
    owner,
    sql`state = 'removed' and table_name not in ('collection_orders', 'payout_orders') and month >= ${month}::date`,
  );
  // Newest file first: a row that was archived twice comes back as its newest file has it.
  for (const archive of [...others.toReversed(), orders])
    await eachFrame(platform, owner, archive, archiveId, step);
}

/**
 * Restores from one file the rows of the orders that are away in the archive `archiveId`. Each frame is one transaction, so that after an
 * interruption the next try continues with the rest.
 */
async function eachFrame(
  platform: Platform,
  owner: Database,
  archive: Archive,
  archiveId: bigint,
  step: Step,
): Promise<void> {
  const { table, month, columns } = archive;
  const known = new Set(await columnsOf(owner, table));
  const isStraight =
    columns.every((column) => known.has(column)) && !(await isAnyBack(owner, archive, archiveId));
  const place = columns.indexOf(isOrders(table) ? 'id' : 'order_id');
  const file = await openArchive(platform.config.archiveDir, archive.file);
  try {
    for (const frame of await framesOf(owner, archive.id)) {
      const away = await awayIn(owner, archiveId, frame);
      if (away.size === 0) continue;
      const lines = await readFrame(file, frame);
      await owner.tx(async (tx) => {
        if (isStraight)
          await tx.copyIn(
            sql`copy ${raw(partitionOf(table, month))} (${columnList(columns)}) from stdin`,
            copyRowsOf(lines, place, away).rows,
          );
        else {
          const rows = lines.toString().split('\n').map(textsOf);
          await putBack(
            tx,
            archive,
            rows.filter((texts) => away.has(texts[place]!)),
          );
        }
        if (isOrders(table))
          await tx.query(sql`
            delete from archived_orders where archive_id = ${archiveId} and order_id between ${frame.firstOrder} and ${frame.lastOrder}`);
      });
      step('restored', archive.file);
    }
  } finally {
    await file.close();
  }
}

/** Whether a row of an order that is away is already in its table, from an interrupted try or from another file. */
async function isAnyBack(owner: Database, { table, month }: Archive, archiveId: bigint): Promise<boolean> {
  const [is] = await owner.query<{ back: boolean }>(sql`
    select exists (select from ${raw(partitionOf(table, month))} o join archived_orders a on a.order_id = ${keyOf(table)}
      where a.archive_id = ${archiveId}) as back`);
  return is!.back;
}

/** The orders of a frame that are away in an archive. */
async function awayIn(
  owner: Database,
  archiveId: bigint,
  { firstOrder, lastOrder }: FrameRow,
): Promise<ReadonlySet<string>> {
  const rows = await owner.query<{ id: string; archive: bigint }>(sql`
    select order_id::text as id, archive_id as archive from archived_orders where order_id between ${firstOrder} and ${lastOrder}`);
  return new Set(rows.filter(({ archive }) => archive === archiveId).map(({ id }) => id));
}

/** Inserts the rows that are not there already. Columns that the table no longer has are left out. */
async function putBack(
  tx: Tx,
  { table, month, columns }: Pick<Archive, 'table' | 'month' | 'columns'>,
  rows: readonly Texts[],
): Promise<void> {
  const known = (await columnsOf(tx, table)).filter((column) => columns.includes(column));
  const places = known.map((column) => columns.indexOf(column));
  const list = columnList(known);
  await tx.query(
    sql`create temp table if not exists ${raw(`back_${table}`)} (like ${raw(table)} including defaults including generated) on commit drop`,
  );
  await tx.query(sql`truncate ${raw(`back_${table}`)}`);
  await tx.copyIn(
    sql`copy ${raw(`back_${table}`)} (${list}) from stdin`,
    copyRows(rows.map((row) => places.map((place) => row[place]!))),
  );
  await tx.query(sql`
    insert into ${raw(partitionOf(table, month))} (${list}) select ${list} from ${raw(`back_${table}`)}
    on conflict (id) do nothing`);
}
