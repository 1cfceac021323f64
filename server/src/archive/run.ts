import { ARCHIVE_TABLES } from '@sangam/contract/archive.ts';
import { keepAlerts } from '../alerts/raise.ts';
import { DAY, HOUR } from '../platform/clock.ts';
import { type Database, raw, sql } from '../platform/db/database.ts';
import { leased } from '../platform/db/lease.ts';
import { monthsOf, partitionOf } from '../platform/db/partitions.ts';
import type { Platform } from '../platform/platform.ts';
import { openArchive, readFrame } from './file.ts';
import { deleteFiles, removeRows } from './remove.ts';
import { type Archive, framesOf, openOrBegin, readArchives } from './store.ts';
import { type ArchivedTable, isOrders, readyRows } from './tables.ts';
import { type Step, writeArchive } from './write.ts';

/** The result of a run. */
export interface ArchiveRun {
  readonly orders: number;
  readonly rows: number;
  readonly files: number;
  /** One sentence for each failure. */
  readonly failures: readonly string[];
}

/** The least age in days, whatever the setting says: days and loads of the last month are counted again from the orders themselves. */
const LEAST_DAYS = 40;

/** Months (UTC) that end by this moment are archived. `days` is DataClearCycle. */
export function archivedUntil(now: Date, days: number): Date {
  const before = new Date(now.getTime() - Math.max(days, LEAST_DAYS) * DAY);
  return new Date(Date.UTC(before.getUTCFullYear(), before.getUTCMonth(), 1));
}

/** The lease of a node that removes or restores rows. */
const LEASE = 'archive';
/** The hours of India's night in which the archive runs by itself. */
const [NIGHT_FROM, NIGHT_TO] = [1, 5];
const INDIA = 5.5 * HOUR;

/** Archives once a night, on one node that has the owner's connection. `run` does it and keeps the outcome. */
export async function archiveNightly(platform: Platform, run: () => Promise<void>): Promise<void> {
  const { DataClearCycle } = await platform.settings.all();
  if (!platform.owner || DataClearCycle === 0) return;
  const hour = new Date(platform.clock.now().getTime() + INDIA).getUTCHours();
  if (hour < NIGHT_FROM || hour >= NIGHT_TO) return;
  await leased(platform, 'archive night', async () => {
    await run();
    return new Date(platform.clock.now().getTime() + DAY / 2);
  });
}

/**
 * Archives every whole month that is older than DataClearCycle, on one node at a time. Throws when this node cannot or another node is
 * doing it. A failed month raises an alert and is tried again next time.
 */
export async function archiveNow(platform: Platform): Promise<ArchiveRun> {
  let run: ArchiveRun | undefined;
  await underLease(platform, async (owner) => {
    run = await archiveOld(platform, owner);
  });
  if (!run) throw new Error('another node works on the archive');
  return run;
}

/** Runs work that removes or restores rows, on one node at a time. */
export async function underLease(
  platform: Platform,
  work: (owner: Database) => Promise<void>,
): Promise<void> {
  const { owner } = platform;
  if (!owner) throw new Error('this node was not given the owner of the tables (DATABASE_OWNER_URL)');
  await leased(platform, LEASE, async () => {
    await work(owner);
    return platform.clock.now();
  });
}

/** The same without the lease. Continues what an earlier run left unfinished, at whatever step. */
export async function archiveOld(
  platform: Platform,
  owner: Database,
  step: Step = () => undefined,
): Promise<ArchiveRun> {
  const { DataClearCycle } = await platform.settings.all();
  if (DataClearCycle === 0) return { orders: 0, rows: 0, files: 0, failures: [] };
  for (const archive of await readArchives(owner, sql`state = 'givenUp'`))
    await deleteFiles(platform, archive);
  const until = archivedUntil(platform.clock.now(), DataClearCycle);
  const [done, failures]: [Archive[], string[]] = [[], []];
  for (const month of await monthsOf(owner, 'collection_orders', until))
    for (const table of ARCHIVE_TABLES) {
      const archive = await beginWhereDue(platform, owner, { table, month, until });
      if (!archive) continue;
      try {
        const removed = await finish(platform, owner, archive, step);
        if (removed) done.push(removed);
      } catch (error) {
        platform.log.error({ err: error, file: archive.file }, 'a month could not be archived');
        await owner.query(sql`update archives set failure = ${String(error)} where id = ${archive.id}`);
        failures.push(`${archive.file}: ${String(error)}`);
        // The month's other tables wait, because their rows are archived after the orders.
        break;
      }
    }
  await keepAlerts(
    platform,
    'archiveFailed',
    failures.map((detail) => ({ subject: detail.split(':')[0]!, data: { detail: detail.slice(0, 200) } })),
  );
  return {
    orders: done.filter(({ table }) => isOrders(table)).reduce((sum, { rowCount }) => sum + rowCount, 0),
    rows: done.reduce((sum, { rowCount }) => sum + rowCount, 0),
    files: done.length,
    failures,
  };
}

/** The unfinished archive of a table and month, or a new one if rows are ready. */
async function beginWhereDue(
  platform: Platform,
  owner: Database,
  of: { readonly table: ArchivedTable; readonly month: Date; readonly until: Date },
): Promise<Archive | undefined> {
  const { table, month, until } = of;
  const now = platform.clock.now();
  const [due] = await owner.query<{ due: boolean }>(sql`
    select to_regclass(${partitionOf(table, month)}) is not null and (
      exists (select from ${raw(partitionOf(table, month))} o where ${readyRows(table, until, now)})
      or exists (select from archives where table_name = ${table} and month = ${month.toISOString().slice(0, 10)}::date
        and state in ('writing', 'checked'))) as due`);
  return due!.due ? openOrBegin(owner, { ...of, id: platform.ids.next(), now }) : undefined;
}

/** Takes an archive from its present state to its end. Undefined when it was given up because rows changed meanwhile. */
async function finish(
  platform: Platform,
  owner: Database,
  archive: Archive,
  step: Step,
): Promise<Archive | undefined> {
  step('begun', archive.file);
  if (archive.state === 'writing') await writeArchive(platform, owner, archive, step);
  else await checkFile(platform, owner, archive);
  const [checked] = await readArchives(owner, sql`id = ${archive.id}`);
  const removed = await removeRows(platform, owner, checked!);
  step(removed ? 'removed' : 'given up', archive.file);
  if (!removed) await deleteFiles(platform, archive);
  return removed ? checked : undefined;
}

/** Reads a whole file again. Throws when it is not as it was written. */
export async function checkFile(platform: Platform, db: Database, archive: Archive): Promise<void> {
  const file = await openArchive(platform.config.archiveDir, archive.file);
  try {
    for (const frame of await framesOf(db, archive.id)) await readFrame(file, frame);
  } finally {
    await file.close();
  }
}
