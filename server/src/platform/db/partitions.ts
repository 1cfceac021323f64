import { type Clock, DAY, SECOND } from '../clock.ts';
import { type Database, type Queryable, raw, type Sql, sql, type Tx } from './database.ts';
import { firstIdAt } from './ids.ts';

/** Tables partitioned by month. Their key `id` is time-ordered, so the bounds of a month are bounds of ids. */
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
 * Percent of a page that new orders may fill. An order's last change touches no indexed column, so the new row version can stay on the same
 * page if there is room. At 70 it stays for nearly all orders when 10,000 end at once; at 80 a third moves (measured: 9 µs and 14 µs an
 * order).
 */
const ORDERS_FILL = 70;

const PARTITIONS_BEFORE = 62 * DAY;
/** How far ahead partitions are made. If a month cannot be made today, there is time to make it on another day. */
const PARTITIONS_AHEAD = 93 * DAY;

/** Makes the month partitions around now. Runs at the start, and daily for a node that runs for months. */
export async function makePartitions(of: { readonly db: Database; readonly clock: Clock }): Promise<void> {
  const now = of.clock.now().getTime();
  await ensurePartitions(of.db, new Date(now - PARTITIONS_BEFORE), new Date(now + PARTITIONS_AHEAD));
}

/** The partitioned tables that have no partition for the month in which the day 31 days from now lies. */
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
 * Makes the missing month partitions from `from` to `to`. Runs at start and daily, never on a request; several nodes may run it at once.
 * Each table and month is one transaction: the partition is made on its own and then attached, which stops no readers and writers. Throws
 * when one could not be attached in `ATTEMPTS` tries.
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
    month = nextMonth(month)
  ) {
    for (const table of PARTITIONED) {
      const name = partitionOf(table, month);
      if (!existing.has(name)) await makePartition(db, table, name, month);
    }
  }
}

/** How long to wait for a lock. The new partition is not needed for months, but every query behind a waiting lock waits too. */
const LOCK_PATIENCE = SECOND;
const ATTEMPTS = 20;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Runs work that needs a lock which readers or writers may hold. `work` waits for the lock at most `LOCK_PATIENCE` (its lock_timeout), and
 * is tried again a moment later. Throws after `ATTEMPTS` tries.
 */
export async function patiently<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === ATTEMPTS || (error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE) throw error;
      await new Promise((resolve) => setTimeout(resolve, LOCK_PATIENCE * (0.5 + Math.random())));
    }
  }
}

/** SQL for a transaction: it stops waiting for a lock before other queries pile up behind it. */
export const SHORT_LOCK_WAIT = sql`select set_config('lock_timeout', ${String(LOCK_PATIENCE)}, true)`;

const suffixOf = (month: Date) => month.toISOString().slice(0, 7).replace('-', '');

/** The name of a table's partition for a month. `month` is the first moment of that month. */
export function partitionOf(table: string, month: Date): string {
  return `${table}_${suffixOf(month)}`;
}

/** The months (their first moments) of a table's partitions that end by `before`, the oldest first. */
export async function monthsOf(db: Database, table: string, before: Date): Promise<Date[]> {
  const rows = await db.query<{ month: string }>(sql`
    select right(c.relname, 6) as month from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = ${table}::regclass and c.relname ~ '_[0-9]{6}$' order by 1`);
  return rows
    .map(({ month }) => monthStart(Number(month.slice(0, 4)), Number(month.slice(4)) - 1))
    .filter((month) => nextMonth(month) <= before);
}

const nextMonth = (month: Date) => monthStart(month.getUTCFullYear(), month.getUTCMonth() + 1);

/** The columns of a table that can be written, in their order. */
export async function columnsOf(db: Queryable, table: string): Promise<string[]> {
  const rows = await db.query<{ name: string }>(sql`
    select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`);
  return rows.map(({ name }) => name);
}

/** Columns as SQL. `row` is the alias before each name, if given. */
export const columnList = (columns: readonly string[], row?: string): Sql =>
  raw(columns.map((column) => (row ? `${row}."${column}"` : `"${column}"`)).join(', '));

/**
 * Replaces a partition by a new one with only the rows for which `kept` is true (SQL about the row `o`), and drops the old one. No trigger
 * of the table fires. Runs in the owner's transaction, which locks out writers of the month; readers of the table wait a moment at the end.
 * Answers how many rows were kept.
 */
export async function replacePartition(tx: Tx, table: string, month: Date, kept: Sql): Promise<number> {
  const name = partitionOf(table, month);
  await makeAlone(tx, table, `${name}_new`);
  const columns = columnList(await columnsOf(tx, table));
  const [moved] = await tx.query<{ rows: number }>(sql`
    with moved as (
      insert into ${raw(`${name}_new`)} (${columns}) select ${columns} from ${raw(name)} o where ${kept} returning 1)
    select count(*)::int as rows from moved`);
  await patiently(async () => {
    await tx.query(sql`savepoint waits_for_readers`);
    try {
      await tx.query(sql`lock table ${raw(table)} in access exclusive mode`);
    } catch (error) {
      await tx.query(sql`rollback to savepoint waits_for_readers`);
      throw error;
    }
  });
  await tx.query(sql`alter table ${raw(table)} detach partition ${raw(name)}`);
  await tx.query(sql`drop table ${raw(name)}`);
  await tx.query(sql`alter table ${raw(`${name}_new`)} rename to ${raw(name)}`);
  await attach(tx, table, name, month);
  return moved!.rows;
}

async function makePartition(db: Database, table: string, name: string, month: Date): Promise<void> {
  await patiently(() => db.tx((tx) => attachPartition(tx, table, name, month)));
}

async function attachPartition(tx: Tx, table: string, name: string, month: Date): Promise<void> {
  await tx.query(SHORT_LOCK_WAIT);
  await tx.query(sql`select pg_advisory_xact_lock(7426001)`);
  const [made] = await tx.query<{ name: string | null }>(sql`select to_regclass(${name})::text as name`);
  if (made!.name !== null) return;
  await makeAlone(tx, table, name);
  await attach(tx, table, name, month);
}

/** Creates a table with the columns and indexes of the partitioned one, not attached to it. */
async function makeAlone(tx: Tx, table: string, name: string): Promise<void> {
  const fill = table === 'collection_orders' ? ORDERS_FILL : 100;
  await tx.query(
    sql`create table ${raw(name)} (like ${raw(table)} including all) with (fillfactor = ${raw(String(fill))})`,
  );
  await takeOverStatistics(tx, table, name);
}

async function attach(tx: Tx, table: string, name: string, month: Date): Promise<void> {
  const [low, high] = [firstIdAt(month), firstIdAt(nextMonth(month))];
  await tx.query(
    sql`alter table ${raw(table)} attach partition ${raw(name)} for values from (${raw(String(low))}) to (${raw(String(high))})`,
  );
}

/** Copies the statistics target of each column, the one thing that a new partition does not take over from its table. */
async function takeOverStatistics(tx: Tx, table: string, partition: string): Promise<void> {
  const columns = await tx.query<{ name: string; target: number }>(sql`
    select attname as name, attstattarget::int as target from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and attstattarget > 0`);
  for (const { name, target } of columns)
    await tx.query(
      sql`alter table ${raw(partition)} alter column ${raw(name)} set statistics ${raw(String(target))}`,
    );
}
