import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { deletePicturesOfArchived } from '../collection/pictures.ts';
import { deleteSlipsOfArchived } from '../payout/slips.ts';
import { MINUTE } from '../platform/clock.ts';
import { type Database, raw, sql } from '../platform/db/database.ts';
import { partitionOf, patiently, replacePartition, SHORT_LOCK_WAIT } from '../platform/db/partitions.ts';
import type { Platform } from '../platform/platform.ts';
import type { Archive } from './store.ts';
import { isOrders, readyRows } from './tables.ts';
import { manifestName } from './write.ts';

const LONGEST = 10 * MINUTE;

/**
 * Removes the rows of a checked archive from their table, in one transaction: it replaces the month's partition by one with the remaining
 * rows. Pictures of the archived orders are deleted. If a row was written since the file was begun, or other rows are ready now, nothing is
 * removed and the archive is given up. Answers whether the rows were removed.
 */
export async function removeRows(platform: Platform, owner: Database, archive: Archive): Promise<boolean> {
  const { id, table, month, until } = archive;
  const partition = raw(partitionOf(table, month));
  const now = platform.clock.now();
  const ready = readyRows(table, until, now);
  return patiently(() =>
    owner.tx(async (tx) => {
      await tx.query(SHORT_LOCK_WAIT);
      await tx.query(sql`select set_config('statement_timeout', ${String(LONGEST)}, true)`);
      // Writers of this month wait until this is done. Readers continue.
      await tx.query(sql`lock table ${partition} in share row exclusive mode`);
      const [is] = await tx.query<{ same: boolean }>(sql`
        select count(*) = ${archive.rowCount} and coalesce(sum(o.id), 0) = ${archive.idSum}::numeric
          and not exists (select from archive_touches where archive_id = ${id}) as same
        from ${partition} o where ${ready}`);
      if (is!.same && isOrders(table)) {
        await tx.query(sql`
          insert into archived_orders (order_id, direction, archive_id)
          select o.id, ${table === 'collection_orders' ? 'in' : 'out'}, ${id} from ${partition} o where ${ready}`);
        await replacePartition(
          tx,
          table,
          month,
          sql`not exists (select from archived_orders a where a.order_id = o.id)`,
        );
        if (table === 'payout_orders') await deleteSlipsOfArchived(tx, id);
        else await deletePicturesOfArchived(tx, id);
      } else if (is!.same) await replacePartition(tx, table, month, sql`${ready} is not true`);
      await tx.query(sql`
        update archives set state = ${is!.same ? 'removed' : 'givenUp'}, ended_at = ${now}
        where id = ${id} and state = 'checked'`);
      await tx.query(sql`delete from archive_touches where archive_id = ${id}`);
      return is!.same;
    }, LONGEST),
  );
}

/** Deletes the files of an archive that was given up. No row was removed for it. */
export async function deleteFiles({ config }: Platform, { file }: Archive): Promise<void> {
  for (const name of [file, manifestName(file)]) await rm(join(config.archiveDir, name), { force: true });
}
