import { existsSync, readFileSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY, HOUR } from '@sangam/server/platform/clock.ts';
import { type Database, openDatabase, raw, sql } from '@sangam/server/platform/db/database.ts';
import { startEmbedded } from '@sangam/server/platform/db/embedded.ts';
import { migrate } from '@sangam/server/platform/db/migrate.ts';
import { ensurePartitions } from '@sangam/server/platform/db/partitions.ts';
import { seedProducts } from '@sangam/server/terms/products/seed-products.ts';

const CHUNK = 500_000;
/** One payout is written for this many collection orders, in addition to them. */
const PER_PAYOUT = 5;
/** Fast settings without durability: an interrupted run starts again from nothing. */
const CARELESS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '8GB',
  maintenance_work_mem: '768MB',
  autovacuum: 'off',
};
const FILLED = ['collection_orders', 'payout_orders', 'merchant_orders'];

const script = (name: string) => readFileSync(new URL(`../sql/${name}.sql`, import.meta.url), 'utf8');

/** The folder that `bench:seed` fills and the bench looks in, so that orders are made once. */
export const folderOf = (orders: number) => join(tmpdir(), `sangam-orders-${orders}`);

/** Whether the folder was filled completely. Until then it has another name. */
export const isSeeded = (folder: string) => existsSync(join(folder, 'postgres.json'));

/**
 * A year of orders up to now, of 900 merchants and 200 suppliers, in every status, with their numbers and waiting rows, and a fifth
 * as many payouts. There are no ledger entries, events or callbacks, because lists do not need them; `verify` would therefore fail.
 * The folder is created anew. The orders are the same each time, except for the time at which they end.
 */
export async function seedOrders(folder: string, orders: number): Promise<void> {
  const startedAt = performance.now();
  const tell = (text: string) =>
    console.log(`  ${((performance.now() - startedAt) / 1000).toFixed(0)} s: ${text}`);
  await rm(folder, { recursive: true, force: true });
  const building = `${folder}.building`;
  await rm(building, { recursive: true, force: true });
  const embedded = await startEmbedded({ dataDir: building, log: () => undefined, settings: CARELESS });
  // Vacuuming sends nothing for minutes.
  const db = openDatabase(embedded.url, { maxConnections: 1, limits: { silence: HOUR } });
  try {
    await migrate(embedded.url);
    // On the only connection: filling and vacuuming may take any time.
    await db.query(sql`set statement_timeout = 0`);
    const now = new Date();
    await ensurePartitions(db, new Date(now.getTime() - 366 * DAY), new Date(now.getTime() + 93 * DAY));
    await seedProducts({ db });
    await db.pool.query(script('seed-world'));
    const restore = await dropIndexes(db);
    await db.query(sql`select setseed(0.42)`);
    await fill(db, 'seed-collections', orders, now, tell);
    await fill(db, 'seed-payouts', Math.ceil(orders / PER_PAYOUT), now, tell);
    await restore(tell);
    await db.pool.query(script('seed-waiting'));
    await db.query(sql`vacuum (freeze, analyze)`);
    tell('vacuumed and analyzed');
  } finally {
    await db.close();
    await embedded.stop();
  }
  await rename(building, folder);
}

async function fill(
  db: Database,
  name: string,
  total: number,
  now: Date,
  tell: (text: string) => void,
): Promise<void> {
  const text = script(name);
  for (let first = 1; first <= total; first += CHUNK) {
    const last = Math.min(first + CHUNK - 1, total);
    await db.pool.query(text, [first, last, total, now]);
    tell(`${name} ${last} of ${total}`);
  }
}

/** Building the indexes afterwards takes a fraction of the time. Returns a function that builds them. */
async function dropIndexes(db: Database): Promise<(tell: (text: string) => void) => Promise<void>> {
  const constraints = await db.query<{ name: string; definition: string }>(sql`
    select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
    where conrelid = 'merchant_orders'::regclass and contype in ('p', 'u')`);
  for (const { name } of constraints)
    await db.query(sql`alter table merchant_orders drop constraint ${raw(name)}`);
  const indexes = await db.query<{ name: string; definition: string }>(sql`
    select i.indexrelid::regclass::text as name, replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') as definition
    from pg_index i join pg_class t on t.oid = i.indrelid
    where t.relname = any(${FILLED}) and not i.indisprimary`);
  for (const { name } of indexes) await db.query(sql`drop index ${raw(name)}`);
  return async (tell) => {
    for (const { name, definition } of constraints)
      await db.query(sql`alter table merchant_orders add constraint ${raw(name)} ${raw(definition)}`);
    for (const { name, definition } of indexes) {
      await db.query(raw(definition));
      tell(name);
    }
  };
}
