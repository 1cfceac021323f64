import { type Database, raw, type Sql, sql, type Tx } from '../platform/db/database.ts';
import { columnList, columnsOf, partitionOf } from '../platform/db/partitions.ts';
import type { Platform } from '../platform/platform.ts';
import { openArchive, readFrame } from './file.ts';
import { copyRows, textsOf } from './lines.ts';
import { readArchivedOrder } from './read.ts';
import { underLease } from './run.ts';
import { type Archive, framesOf, readArchives } from './store.ts';
import { isOrders } from './tables.ts';
import type { Step } from './write.ts';

type Texts = readonly (string | null)[];

interface Wanted {
  readonly id: bigint;
  readonly orderId: bigint | null;
  readonly archiveId: bigint | null;
}

const isWaiting = sql`state = 'waiting'`;

/** Brings back what somebody asked for; on a node that was given the owner of the tables, one at a time. */
export async function restoreWaiting(platform: Platform): Promise<void> {
  if (!platform.owner) return;
  const waiting = await platform.db.query(sql`select from archive_restores where ${isWaiting} limit 1`);
  if (waiting.length > 0) await underLease(platform, (owner) => restoreAll(platform, owner));
}

/** The same without the lease. Rows go straight into their months: no trigger counts them a second time. */
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

/** One order with all that belongs to it, in one transaction. One that is back already stays as it is. */
async function restoreOrder(platform: Platform, owner: Database, orderId: bigint): Promise<void> {
  const rows = await readArchivedOrder(owner, platform.config.archiveDir, orderId);
  await owner.tx(async (tx) => {
    const gone = await tx.query(sql`delete from archived_orders where order_id = ${orderId} returning 1`);
    if (gone.length === 0) return;
    for (const { texts, ...of } of rows) await putBack(tx, of, [texts], sql`true`);
  });
}

/** All orders of a file that are still in the archive. What belongs to them comes first, so that no order is back without it. */
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
  const isOurs = (column: string) =>
    sql`exists (select from archived_orders a where a.order_id = r.${raw(column)} and a.archive_id = ${archiveId})`;
  for (const archive of others)
    await eachFrame(platform, owner, archive, step, (tx, rows) =>
      putBack(tx, archive, rows, isOurs('order_id')),
    );
  await eachFrame(platform, owner, orders, step, async (tx, rows, frame) => {
    await putBack(tx, orders, rows, isOurs('id'));
    await tx.query(sql`
      delete from archived_orders where archive_id = ${archiveId} and order_id between ${frame.firstOrder} and ${frame.lastOrder}`);
  });
}

type FrameWork = (
  tx: Tx,
  rows: readonly Texts[],
  frame: { readonly firstOrder: bigint; readonly lastOrder: bigint },
) => Promise<unknown>;

/** A transaction for each frame: broken off anywhere, the next try goes on with the rest. */
async function eachFrame(
  platform: Platform,
  owner: Database,
  archive: Archive,
  step: Step,
  work: FrameWork,
): Promise<void> {
  const file = await openArchive(platform.config.archiveDir, archive.file);
  try {
    for (const frame of await framesOf(owner, archive.id)) {
      const rows = (await readFrame(file, frame)).toString().split('\n').map(textsOf);
      await owner.tx((tx) => work(tx, rows, frame));
      step('restored', archive.file);
    }
  } finally {
    await file.close();
  }
}

/** Those of the rows `r` for which `where` holds, and which are not there already. What the table has no column for any more is left out. */
async function putBack(
  tx: Tx,
  { table, month, columns }: Pick<Archive, 'table' | 'month' | 'columns'>,
  rows: readonly Texts[],
  where: Sql,
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
    insert into ${raw(partitionOf(table, month))} (${list}) select ${list} from ${raw(`back_${table}`)} r
    where ${where} on conflict (id) do nothing`);
}
