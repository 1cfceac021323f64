import { createWriteStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { archiveOld } from '@sangam/server/archive/run.ts';
import { restoreAll } from '@sangam/server/archive/restore.ts';
import { ARCHIVE_TABLES } from '@sangam/contract/endpoints/archive.ts';
import { orderSums } from '@sangam/server/archive/tables.ts';
import { SECOND } from '@sangam/server/platform/clock.ts';
import { sql } from '@sangam/server/platform/db/database.ts';
import { startEmbedded } from '@sangam/server/platform/db/embedded.ts';
import { migrate } from '@sangam/server/platform/db/migrate.ts';
import { ensurePartitions, partitionOf } from '@sangam/server/platform/db/partitions.ts';
import { fillMonth } from './archive/fill-month.ts';
import { benchPlatform } from './rig.ts';

/*
 * A month of orders, with four events, one attempt and one message each, to the archive and out of its tables, over a `COPY` of the
 * same rows into files on the same disk, forced to it; then all of them back. Sums by day, merchant and currency must be what they were.
 *
 *   npm run bench -- archive [--orders 1000000]
 */
const { values } = parseArgs({ options: { orders: { type: 'string', default: '1000000' } } });
const orders = Number(values.orders);
const dataDir = await mkdtemp(join(tmpdir(), 'sangam-bench-archive-'));
const embedded = await startEmbedded({ dataDir, log: () => undefined, settings: { max_wal_size: '8GB' } });
const platform = benchPlatform({ databaseUrl: embedded.url, dataDir, port: 0 });
const { db } = platform;
/** The month before the last two. */
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

/** `COPY` of a partition to a file of this program's, on the disk at the end. */
class CopyOut {
  readonly done: Promise<void>;
  #end!: { resolve: () => void; reject: (error: Error) => void };
  readonly #text: string;
  readonly #out: ReturnType<typeof createWriteStream>;
  constructor(text: string, out: ReturnType<typeof createWriteStream>) {
    [this.#text, this.#out] = [text, out];
    this.done = new Promise((resolve, reject) => (this.#end = { resolve, reject }));
  }
  submit(connection: { query(text: string): void }) {
    connection.query(this.#text);
  }
  handleCopyData({ chunk }: { chunk: Buffer }) {
    this.#out.write(chunk);
  }
  handleError(error: Error) {
    this.#end.reject(error);
  }
  handleReadyForQuery() {
    this.#end.resolve();
  }
  handleCommandComplete() {}
  handleRowDescription() {}
}

async function copyAll(): Promise<void> {
  const client = await db.pool.connect();
  await client.query('set statement_timeout = 0');
  for (const table of ARCHIVE_TABLES) {
    const path = join(dataDir, `${table}.copy`);
    const out = createWriteStream(path);
    const copy = new CopyOut(`copy (select * from ${partitionOf(table, month)}) to stdout`, out);
    client.query(copy as never);
    await copy.done;
    await new Promise<void>((resolve) => out.end(resolve));
    const file = await open(path, 'r+');
    await file.sync();
    await file.close();
  }
  client.release(true);
}

const sums = () => db.query(orderSums('collection_orders', sql`collection_orders o`));

try {
  await migrate(embedded.url);
  await ensurePartitions(db, month, now);
  await timed(`${orders} orders made`, () => fillMonth(db, month, orders));
  await platform.settings.write('DataClearCycle', 40, null);
  const before = JSON.stringify(await sums());
  await copyAll();
  const [copy] = await timed('COPY', copyAll);
  const [archive, run] = await timed('archive', () => archiveOld(platform, db));
  console.log(`  ${run.rows} rows in ${run.files} files; failures: ${run.failures.join('; ') || 'none'}`);
  const [left] = await db.query<{ orders: number }>(
    sql`select count(*)::int as orders from collection_orders`,
  );
  const [size] = await db.query<{ bytes: string }>(sql`select sum(bytes)::text as bytes from archives`);
  console.log(
    `  ${left!.orders} orders left in the table; ${(Number(size!.bytes) / 1_000_000).toFixed(0)} MB of files`,
  );
  console.log(`archive over COPY: ${(archive / copy).toFixed(2)} (to hold: at most 2)`);
  await db.query(sql`
    insert into archive_restores (id, archive_id, reason, asked_at)
    select ${platform.ids.next()}, id, 'bench', now() from archives where table_name = 'collection_orders'`);
  await timed('restored', () => restoreAll(platform, db));
  console.log(
    `sums after archive and restore: ${JSON.stringify(await sums()) === before ? 'equal' : 'DIFFERENT'}`,
  );
} finally {
  await db.close();
  await embedded.stop();
  await rm(dataDir, { recursive: true, force: true });
}
