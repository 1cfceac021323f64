import { businessDay, parseTime } from '@sangam/contract/time.ts';
import { type Database, raw, type Sql, sql } from '../platform/db/database.ts';
import { firstIdAt, timeOfId } from '../platform/db/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { isOf, ordersFiled } from './check.ts';
import { lessWaiting } from './columns.ts';
import { addUp, IS_KEPT_HALF_HOUR, MEMORY, TURN } from './keep.ts';
import { spanOf } from './pairs.ts';
import { addedBy, DAYS, grouped, HALF_HOURS, PAIR_SPANS, PAIRS, SPANS, writeTo } from './sums.ts';

/*
 * Makes sums again from the orders, while nodes run. In any one snapshot the right sums of a day are its orders, less what the waiting
 * changes will add. So exactly that is written, and the queue of changes stays as it is.
 */

/** Orders of one transaction, which takes a second or two. */
const BATCH = 50_000;
/** Transactions at a time. The database gives each its own processor. */
const AT_A_TIME = 2;
/** The first half of the lock on a day that is rebuilt. The second half is the day's number. */
const REBUILT = raw('7426020');

/**
 * Makes the sums of days again. `days` must be in order and without gaps. `sumUpDays` makes the spans from the first day on again; until
 * then questions read the days. `batch`: orders that one transaction counts, but at least one day.
 */
export async function rebuild(
  platform: Pick<Platform, 'db' | 'clock'>,
  days: readonly string[],
  batch = BATCH,
): Promise<void> {
  const { db } = platform;
  for (let done = 0; done < days.length;) {
    const batches: Promise<void>[] = [];
    while (batches.length < AT_A_TIME && done < days.length) {
      const left = days.slice(done);
      const size = await daysOfBatch(db, left, batch);
      batches.push(makeAnew(db, left[0]!, left[size - 1]!));
      done += size;
    }
    await Promise.all(batches);
    // Adds the changes that had to wait for these transactions.
    await addUp(platform);
  }
}

/** How many of the days, from the first on, have a batch of orders together. At least one. */
async function daysOfBatch(db: Database, days: readonly string[], batch: number): Promise<number> {
  const from = firstIdAt(parseTime(days[0]!)!);
  const [beyond] = await db.query<{ id: bigint }>(sql`
    select id from (select id from collection_orders union all select id from payout_orders) o
    where id >= ${from} order by id offset ${batch} limit 1`);
  if (!beyond) return days.length;
  const last = businessDay(timeOfId(beyond.id));
  const size = days.findIndex((day) => day >= last);
  return size < 0 ? days.length : Math.max(1, size);
}

/** Makes the sums of the days from `first` to `last` again, in one transaction. */
function makeAnew(db: Database, first: string, last: string): Promise<void> {
  const [from, to] = [sql`${first}::date`, sql`${last}::date`];
  const number = (day: Sql) => sql`(${day} - date '1970-01-01')`;
  return db.tx(async (tx) => {
    // With this level each statement sees everything that was committed before the locks were taken.
    tx.send(sql`set transaction isolation level read committed`);
    tx.send(sql`set local work_mem = ${MEMORY}`);
    // So nobody adds changes, makes spans or deletes half hours meanwhile.
    tx.send(sql`select pg_advisory_xact_lock_shared(${TURN})`);
    tx.send(sql`
      select pg_advisory_xact_lock(${REBUILT}, day) from generate_series(${number(from)}, ${number(to)}) day`);
    const onDays = sql`slot / 48 between ${number(from)} and ${number(to)}`;
    for (const table of [DAYS, PAIRS, HALF_HOURS])
      tx.send(sql`delete from ${raw(table.name)} where ${isOf(table)} and day between ${from} and ${to}`);
    const [state] = await tx.query<{ areForgotten: boolean }>(sql`
      select half_hours_from > ${to} as "areForgotten" from statistics_state`);
    const halfHours = { ...HALF_HOURS, grains: state!.areForgotten ? [0] : HALF_HOURS.grains };
    const counted = sql`select * from counted`;
    tx.send(sql`
      with counted as materialized (${addedBy(lessWaiting(ordersFiled(from, to), sql`true`), onDays)}),
      to_half_hours as (${writeTo(HALF_HOURS, sql`select * from (${grouped(halfHours, counted)}) h where ${IS_KEPT_HALF_HOUR}`)}),
      to_pairs as (${writeTo(PAIRS, grouped(PAIRS, counted))})
      ${writeTo(DAYS, grouped(DAYS, counted))}`);
    const block = sql`(${from} - ${number(from)} % 16)`;
    tx.send(sql`
      delete from statistics_spans where ${isOf(SPANS)} and day >= ${block} and (select spans_until > ${block} from statistics_state)`);
    const pairs = spanOf(from);
    tx.send(sql`
      delete from statistics_spans where ${isOf(PAIR_SPANS)} and day >= ${pairs}
        and (select pairs_until > ${pairs} or pairs_until = ${pairs} and pairs_merchant > 0 from statistics_state)`);
    tx.send(sql`
      update statistics_state set spans_until = least(spans_until, ${block}), pairs_until = least(pairs_until, ${pairs}),
        pairs_merchant = case when pairs_until < ${pairs} then pairs_merchant else 0 end
      where spans_until > ${block} or pairs_until >= ${pairs}`);
  });
}
