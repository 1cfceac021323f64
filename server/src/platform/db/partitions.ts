import { type Clock, DAY, SECOND } from '../clock.ts';
import { type Database, raw, sql, type Tx } from './database.ts';
import { firstIdAt } from './ids.ts';

/** Tables partitioned by month; their key `id` is time-ordered, so month bounds are id bounds. */
const PARTITIONED = [
  'collection_orders',
  'payout_orders',
  'order_events',
  'allocation_runs',
  'ledger_entries',
  'messages',
  'callback_attempts',
  'monitor_log',
] as const;

/**
 * Percent of a page that new orders may fill: their last change, which no index tells of, finds room beside them. Of orders that
 * end by the ten thousand at once nearly all do, at 80 a third does not (measured: 9 µs and 14 µs an order).
 */
const ORDERS_FILL = 70;

const PARTITIONS_BEFORE = 62 * DAY;
/** Months ahead of need: a month that cannot be made today is made tomorrow. */
const PARTITIONS_AHEAD = 186 * DAY;

/** Makes the month partitions around now: at start, and daily for a node that runs for months. */
export async function makePartitions(of: { readonly db: Database; readonly clock: Clock }): Promise<void> {
  const now = of.clock.now().getTime();
  await ensurePartitions(of.db, new Date(now - PARTITIONS_BEFORE), new Date(now + PARTITIONS_AHEAD));
}

/** Tables that have no partition for a month from now. */
export async function missingPartitions(of: {
  readonly db: Database;
  readonly clock: Clock;
}): Promise<string[]> {
  const month = new Date(of.clock.now().getTime() + 31 * DAY).toISOString().slice(0, 7).replace('-', '');
  const rows = await of.db.query<{ name: string }>(sql`
    select t as name from unnest(${[...PARTITIONED]}::text[]) t where to_regclass(t || '_' || ${month}) is null`);
  return rows.map(({ name }) => name);
}

function monthStart(year: number, month: number): Date {
  return new Date(Date.UTC(year, month, 1));
}

/**
 * Makes the month partitions from `from` to `to` that are missing. Runs at start and daily, never on a request; several
 * nodes may run it at once. One table and month a transaction: made apart from its parent and then attached, which
 * stops no readers and writers. Throws when one could not be attached in many tries (see `ATTEMPTS`).
 */
export async function ensurePartitions(db: Database, from: Date, to: Date): Promise<void> {
  const existing = new Set(
    (
      await db.query<{ name: string }>(
        sql`select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid`,
      )
    ).map(({ name }) => name),
  );
  for (
    let month = monthStart(from.getUTCFullYear(), from.getUTCMonth());
    month <= to;
    month = monthStart(month.getUTCFullYear(), month.getUTCMonth() + 1)
  ) {
    const suffix = month.toISOString().slice(0, 7).replace('-', '');
    for (const table of PARTITIONED)
      if (!existing.has(`${table}_${suffix}`)) await makePartition(db, table, `${table}_${suffix}`, month);
  }
}

/** A partition that is not needed for months can wait for a better moment: what stands behind a waiting lock cannot. */
const LOCK_PATIENCE = SECOND;
const ATTEMPTS = 20;
const LOCK_NOT_AVAILABLE = '55P03';

async function makePartition(db: Database, table: string, name: string, month: Date): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.tx((tx) => attachPartition(tx, table, name, month));
    } catch (error) {
      if (attempt === ATTEMPTS || (error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE) throw error;
      await new Promise((resolve) => setTimeout(resolve, LOCK_PATIENCE * (0.5 + Math.random())));
    }
  }
}

async function attachPartition(tx: Tx, table: string, name: string, month: Date): Promise<void> {
  await tx.query(sql`select set_config('lock_timeout', ${String(LOCK_PATIENCE)}, true)`);
  await tx.query(sql`select pg_advisory_xact_lock(7426001)`);
  const [made] = await tx.query<{ name: string | null }>(sql`select to_regclass(${name})::text as name`);
  if (made!.name !== null) return;
  const next = monthStart(month.getUTCFullYear(), month.getUTCMonth() + 1);
  const [low, high] = [firstIdAt(month), firstIdAt(next)];
  const fill = table === 'collection_orders' ? ORDERS_FILL : 100;
  await tx.query(
    sql`create table ${raw(name)} (like ${raw(table)} including all) with (fillfactor = ${raw(String(fill))})`,
  );
  await takeOverStatistics(tx, table, name);
  await tx.query(
    sql`alter table ${raw(table)} attach partition ${raw(name)} for values from (${raw(String(low))}) to (${raw(String(high))})`,
  );
}

/** How closely a column is sampled is the one thing a new partition does not take over from its table. */
async function takeOverStatistics(tx: Tx, table: string, partition: string): Promise<void> {
  const columns = await tx.query<{ name: string; target: number }>(sql`
    select attname as name, attstattarget::int as target from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and attstattarget > 0`);
  for (const { name, target } of columns)
    await tx.query(
      sql`alter table ${raw(partition)} alter column ${raw(name)} set statistics ${raw(String(target))}`,
    );
}
