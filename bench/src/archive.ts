import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { archiveOld } from '@sangam/server/archive/run.ts';
import { restoreAll } from '@sangam/server/archive/restore.ts';
import { ARCHIVE_TABLES } from '@sangam/contract/archive.ts';
import { orderSums } from '@sangam/server/archive/tables.ts';
import { SECOND } from '@sangam/server/platform/clock.ts';
import { raw, sql } from '@sangam/server/platform/db/database.ts';
import { startEmbedded } from '@sangam/server/platform/db/embedded.ts';
import { migrate } from '@sangam/server/platform/db/migrate.ts';
import {
  columnList,
  columnsOf,
  ensurePartitions,
  partitionOf,
} from '@sangam/server/platform/db/partitions.ts';
import { fillMonth } from './archive/fill-month.ts';
import { benchPlatform } from './rig.ts';

/*
 * Compares the archive with `COPY`. A month of orders (four events, one attempt and one message each) goes to the archive and out
 * of its tables; `COPY` writes the same rows to files on the same disk, with fsync; then both restore them. The sums by day,
 * merchant and currency must not change.
 *
 *   npm run bench -- archive [--orders 1000000] [--sums]
 *
 * With --sums there is no `COPY`; only the sums are compared.
 */
const { values } = parseArgs({
  options: { orders: { type: 'string', default: '1000000' }, sums: { type: 'boolean', default: false } },
});
const orders = Number(values.orders);
const dataDir = await mkdtemp(join(tmpdir(), 'sangam-bench-archive-'));
const embedded = await startEmbedded({ dataDir, log: () => undefined, settings: { max_wal_size: '8GB' } });
const platform = benchPlatform({ databaseUrl: embedded.url, dataDir, port: 0 });
const { db } = platform;
/** The month before the last two months. */
const now = new Date();
const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 3, 1));
const seconds = (ms: number) => `${(ms / SECOND).toFixed(1)} s`;

async function timed<Result>(what: string, work: () => Promise<Result>): Promise<[number, Result]> {
  const startedAt = performance.now();
  const result = await work();
  const ms = performance.now() - startedAt;
  console.log(`  ${what}: ${seconds(ms)}`);
  return [ms, result];
}

const LONGEST = 60 * 60 * SECOND;
const copyPath = (table: string) => join(dataDir, `${table}.copy`);

/** Writes each month's rows to a file, with fsync at the end. */
async function copyAll(): Promise<void> {
  for (const table of ARCHIVE_TABLES) {
    const out = createWriteStream(copyPath(table));
    let drained: Promise<undefined> | undefined;
    await db.tx(async (tx) => {
      await tx.query(sql`set local statement_timeout = 0`);
      await tx.copyOut(sql`copy ${raw(partitionOf(table, month))} to stdout`, (row) => {
        // A copy: the row buffer is valid only until this returns, and the stream writes later.
        out.write(Buffer.from(row));
        if (out.writableNeedDrain) drained ??= once(out, 'drain').then(() => (drained = undefined));
        return drained;
      });
    }, LONGEST);
    await new Promise<void>((resolve) => out.end(resolve));
    const file = await open(copyPath(table), 'r+');
    await file.sync();
    await file.close();
  }
}

/** Loads the same files into empty tables with the same indexes. */
async function copyBack(): Promise<void> {
  for (const table of ARCHIVE_TABLES) {
    const rows = createReadStream(copyPath(table), { highWaterMark: 1 << 26 });
    await db.tx(async (tx) => {
      await tx.query(sql`set local statement_timeout = 0`);
      await tx.query(sql`create table ${raw(`copied_${table}`)} (like ${raw(table)} including all)`);
      const columns = columnList(await columnsOf(tx, table));
      let rest = Buffer.alloc(0);
      for await (const chunk of rows) {
        const bytes = Buffer.concat([rest, chunk as Buffer]);
        const end = bytes.lastIndexOf('\n') + 1;
        await tx.copyIn(sql`copy ${raw(`copied_${table}`)} (${columns}) from stdin`, bytes.subarray(0, end));
        rest = bytes.subarray(end);
      }
    }, LONGEST);
  }
}

const sums = () => db.query(orderSums('collection_orders', sql`collection_orders o`));

try {
  await migrate(embedded.url);
  await ensurePartitions(db, month, now);
  await timed(`${orders} orders made`, () => fillMonth(db, month, orders));
  await platform.settings.write('DataClearCycle', 40, null);
  const before = JSON.stringify(await sums());
  if (!values.sums) await copyAll();
  const [copy] = values.sums ? [NaN] : await timed('COPY', copyAll);
  const [archive, run] = await timed('archive', () => archiveOld(platform, db));
  console.log(`  ${run.rows} rows in ${run.files} files; failures: ${run.failures.join('; ') || 'none'}`);
  const [left] = await db.query<{ orders: number }>(
    sql`select count(*)::int as orders from collection_orders`,
  );
  const [size] = await db.query<{ bytes: string }>(sql`select sum(bytes)::text as bytes from archives`);
  console.log(
    `  ${left!.orders} orders left in the table; ${(Number(size!.bytes) / 1_000_000).toFixed(0)} MB of files`,
  );
  await db.query(sql`
    insert into archive_restores (id, archive_id, reason, asked_at)
    select ${platform.ids.next()}, id, 'bench', now() from archives where table_name = 'collection_orders'`);
  const [copyIn] = values.sums
    ? [NaN]
    : await timed('COPY back into empty tables with the same indexes', copyBack);
  const [restore] = await timed('restored', () => restoreAll(platform, db));
  if (!values.sums)
    console.log(
      `archive over COPY: ${(archive / copy).toFixed(2)}; restore over COPY back: ${(restore / copyIn).toFixed(2)}; ` +
        `both over both: ${((archive + restore) / (copy + copyIn)).toFixed(2)} (to hold: at most 2)`,
    );
  const after = await sums();
  console.log(
    `${after.length} sums by day, merchant and currency after archive and restore: ${JSON.stringify(after) === before ? 'equal' : 'DIFFERENT'}`,
  );
} finally {
  await db.close();
  await embedded.stop();
  await rm(dataDir, { recursive: true, force: true });
}
