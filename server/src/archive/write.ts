import { join } from 'node:path';
import { MINUTE } from '../platform/clock.ts';
import { type Database, raw, sql } from '../platform/db/database.ts';
import { columnList, columnsOf, partitionOf, patiently, SHORT_LOCK_WAIT } from '../platform/db/partitions.ts';
import type { Platform } from '../platform/platform.ts';
import { createArchiveFile, sha256, writeWhole } from './file.ts';
import { insertLeaves, type LeafList } from './leaves.ts';
import { Pieces } from './pieces.ts';
import { readBack } from './read-back.ts';
import { type Archive, type FrameRow, insertFrames } from './store.ts';
import { isOrders, keyOf, orderSums, type OrderSum, readyRows } from './tables.ts';

/** How long one statement may take that sorts and reads a month in one snapshot. */
const LONGEST = 30 * MINUTE;

/** The memory for sorting a month by its orders. */
const SORT_MEMORY = '256MB';

/** Called after each step at which a process may end. Tests end it there. */
export type Step = (name: string, file: string) => void;

/**
 * Makes the file of an archive in state `writing`: reads its rows in one snapshot, reads the file back from the disk and compares it with
 * the database's counts. Throws when they differ. Changes none of the rows. Ends in state `checked`.
 */
export async function writeArchive(
  platform: Platform,
  owner: Database,
  archive: Archive,
  step: Step,
): Promise<void> {
  const folder = platform.config.archiveDir;
  await watchTouches(owner, archive);
  step('watched', archive.file);
  const file = await createArchiveFile(join(folder, archive.file));
  let copied: Copied;
  let bytes: number;
  try {
    copied = await copyToFile(platform, owner, archive, file.add);
    step('copied', archive.file);
    bytes = await file.end();
  } catch (error) {
    await file.abandon();
    throw error;
  }
  step('on disk', archive.file);
  const read = await readBack(folder, archive, copied);
  const same =
    read.rowCount === copied.rowCount &&
    read.idSum === BigInt(copied.idSum) &&
    JSON.stringify(read.sums) === JSON.stringify(copied.sums);
  if (!same)
    throw new Error(
      `${archive.file} holds ${read.rowCount} rows, the database ${copied.rowCount}, or their sums differ`,
    );
  step('read back', archive.file);
  const manifest = manifestOf(archive, copied, bytes);
  await writeWhole(join(folder, manifestName(archive.file)), manifest);
  step('manifest', archive.file);
  const hash = sha256(manifest);
  await owner.tx(async (tx) => {
    await insertFrames(tx, archive.id, copied.frames);
    await insertLeaves(tx, platform.auditSeal, archive.id, copied.leaves);
    await tx.query(sql`
      update archives set state = 'checked', columns = ${copied.columns}, row_count = ${copied.rowCount}, id_sum = ${copied.idSum}::numeric, bytes = ${bytes},
        sums = ${JSON.stringify(copied.sums)}::jsonb, hash = ${hash}, key_id = ${platform.auditSeal.keyId},
        signature = ${platform.auditSeal.sign(hash)}, checked_at = ${platform.clock.now()}, failure = null
      where id = ${archive.id} and state = 'writing'`);
  }, LONGEST);
  step('checked', archive.file);
}

export const manifestName = (file: string): string => file.replace(/\.ndjson\.zst$/, '.json');

function manifestOf(
  archive: Archive,
  { columns, frames, rowCount, idSum, sums }: Copied,
  bytes: number,
): string {
  const { table, month, part, file } = archive;
  return JSON.stringify({
    format: 'sangam-archive-2',
    table,
    month: month.toISOString().slice(0, 7),
    part,
    file,
    bytes,
    columns,
    rows: rowCount,
    idSum,
    sums,
    frames: frames.map(({ startsAt, length, rowCount: rows, hash }) => ({
      startsAt: Number(startsAt),
      length,
      rows,
      sha256: hash.toString('hex'),
    })),
  });
}

/** From now on writes to the month's rows are noted, because the file may then be out of date. */
function watchTouches(owner: Database, { id, table, month }: Archive): Promise<void> {
  return patiently(() =>
    owner.tx(async (tx) => {
      await tx.query(SHORT_LOCK_WAIT);
      await tx.query(sql`delete from archive_touches where archive_id = ${id}`);
      await tx.query(sql`
        create or replace trigger archive_touched after insert or update or delete on ${raw(partitionOf(table, month))}
        for each row execute function note_archive_touch(${raw(`'${id}'`)})`);
    }),
  );
}

/** What a file must hold. */
export interface Copied {
  readonly columns: readonly string[];
  readonly frames: readonly FrameRow[];
  readonly rowCount: number;
  readonly idSum: string;
  readonly sums: readonly OrderSum[];
  readonly leaves: readonly LeafList[];
}

/** Copies the rows that are ready into the file, in one snapshot. */
function copyToFile(
  platform: Platform,
  owner: Database,
  { table, month, until }: Archive,
  add: Awaited<ReturnType<typeof createArchiveFile>>['add'],
): Promise<Copied> {
  const from = sql`${raw(partitionOf(table, month))} o where ${readyRows(table, until, platform.clock.now())}`;
  return owner.tx(async (tx) => {
    await tx.query(sql`set transaction isolation level repeatable read`);
    await tx.query(sql`
      select set_config('statement_timeout', ${String(LONGEST)}, true), set_config('work_mem', ${SORT_MEMORY}, true), set_config('timezone', 'UTC', true)`);
    const columns = await columnsOf(tx, table);
    const pieces = new Pieces(table, columns, add);
    await tx.copyOut(
      sql`copy (select ${columnList(columns, 'o')} from ${from} order by ${keyOf(table)}, o.id) to stdout`,
      (row) => pieces.take(row),
    );
    const frames = await pieces.end();
    if (!isOrders(table)) {
      const [total] = await tx.query<{ rowCount: number; idSum: string }>(sql`
        select count(*)::int as "rowCount", coalesce(sum(o.id), 0)::text as "idSum" from ${from}`);
      return { columns, frames, ...total!, sums: [], leaves: pieces.leaves() };
    }
    const sums = await tx.query<OrderSum & { idSum: string }>(orderSums(table, from));
    return {
      columns,
      frames,
      rowCount: sums.reduce((all, { count }) => all + count, 0),
      idSum: String(sums.reduce((all, { idSum }) => all + BigInt(idSum), 0n)),
      sums: sums.map(({ idSum: _, ...sum }) => sum),
      leaves: [],
    };
  }, LONGEST);
}
