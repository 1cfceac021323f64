import { DIRECTIONS, HALF_HOUR_DAYS } from '@sangam/contract/statistics.ts';
import { businessDay } from '@sangam/contract/time.ts';
import { DAY, MINUTE } from '../platform/clock.ts';
import { type Database, empty, hot, join, raw, type Sql, type Tx, sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { firstIdAt } from '../platform/db/ids.ts';
import { lessWaiting, ordersOf } from './columns.ts';
import { afterSpan, cutsOf, intoPairs, spanOf } from './pairs.ts';
import {
  addedBy,
  addTo,
  DAYS,
  FINE_HALF_HOURS,
  grouped,
  HALF_HOURS,
  IS_SETTLED,
  madeFrom,
  PAIR_SPANS,
  SPANS,
  writeTo,
} from './sums.ts';

/** How many changes one transaction adds. */
const BATCH = 20_000;

/**
 * The lock of adding changes. One node adds at a time, because two would wait for each other's rows. Rebuilds share the lock, so nobody
 * adds meanwhile.
 */
export const TURN = raw('7426019');

/** The memory of a statement that sums many orders, so that it groups and sorts without files. */
export const MEMORY = raw(`'128MB'`);

/** SQL condition on `grain` and `day` of half-hour rows: they are kept. */
export const IS_KEPT_HALF_HOUR: Sql = sql`(grain = 0 or day >= (select half_hours_from from statistics_state))`;
/** SQL condition on `day`: the day is in the spans. */
export const IS_IN_SPANS: Sql = sql`day < (select spans_until from statistics_state)`;

/** Deletes at most BATCH changes and adds them to the sums, in the caller's transaction, which must hold TURN. Answers how many. */
async function addUpChanges(tx: Tx): Promise<number> {
  const halfHours = raw('half_hours');
  // Without parameters each connection plans it once. Each plan took about 12 ms.
  const [counted] = await tx.query<{ changes: number }>(
    hot(
      'add up statistics',
      sql`
    with gone as (
      delete from statistics_changes where ctid = any(array(select ctid from statistics_changes limit ${raw(String(BATCH))})) returning *
    ), settled as (select * from gone where ${IS_SETTLED}),
    half_hours as materialized (${grouped(FINE_HALF_HOURS, addedBy(sql`gone`, sql`true`))}),
    to_half_hours as (${addTo(HALF_HOURS, sql`select * from (${madeFrom(halfHours, HALF_HOURS, sql`true`)}) h where ${IS_KEPT_HALF_HOUR}`)}),
    to_days as (${addTo(DAYS, madeFrom(halfHours, DAYS, sql`true`))}),
    to_spans as (${addTo(SPANS, madeFrom(halfHours, SPANS, IS_IN_SPANS))}),
    ${intoPairs(addedBy(sql`settled`, sql`true`))}
    select count(*)::int as changes from gone`,
    ),
  );
  return counted!.changes;
}

/** Adds all waiting changes to the sums, on one node at a time. Answers how many, or undefined when another node is doing it. */
export async function addUp(
  platform: Pick<Platform, 'db' | 'clock'>,
  isStopped: () => boolean = () => false,
): Promise<number | undefined> {
  let total = 0;
  for (;;) {
    const now = platform.clock.now();
    const changes = await platform.db.tx(async (tx) => {
      const [turn] = await tx.query<{ mine: boolean; waits: boolean }>(sql`
        select pg_try_advisory_xact_lock(${TURN}) as mine, exists (select from statistics_changes) as waits`);
      if (!turn!.mine) return undefined;
      if (!turn!.waits) return 0;
      const added = await addUpChanges(tx);
      // The sums now have everything that was committed before the last batch began.
      if (added < BATCH) tx.send(sql`update statistics_state set as_of = greatest(as_of, ${now})`);
      return added;
    });
    if (changes === undefined) return undefined;
    total += changes;
    if (changes < BATCH || isStopped()) return total;
  }
}

/** Deletes half hours that are too old, except those of all orders together. Their days stay. */
export async function forgetHalfHours({ db, clock }: Platform): Promise<void> {
  const from = businessDay(new Date(clock.now().getTime() - HALF_HOUR_DAYS * DAY));
  await db.tx(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(${TURN})`);
    tx.send(sql`update statistics_state set half_hours_from = greatest(half_hours_from, ${from}::date)`);
    tx.send(sql`delete from statistics_half_hours where not ${IS_KEPT_HALF_HOUR}`);
  });
}

/** Days that still change too much for spans: today and the day before. */
const OPEN_DAYS = 2;

/**
 * Orders and payments of one transaction that sums days up by merchant and supplier together. It takes about half a second, in which no
 * changes are added.
 */
const PAIRS_BATCH = 50_000;

/** Sums old enough days into spans. `batch`: orders of one transaction, but at least one merchant. */
export async function sumUpDays(
  platform: Pick<Platform, 'db' | 'clock'>,
  batch = PAIRS_BATCH,
): Promise<void> {
  const end = businessDay(new Date(platform.clock.now().getTime() - (OPEN_DAYS - 1) * DAY));
  for (const next of [(tx: Tx) => sumUpSpan(tx, end), (tx: Tx) => sumUpPairs(tx, end, batch)])
    while (await inTurn(platform.db, next))
      // Adds the changes that had to wait for this transaction. Nobody else gets the turn between two of them.
      await addUp(platform);
}

/** A transaction that nobody adds changes beside. */
const inTurn = <Result>(db: Database, work: (tx: Tx) => Promise<Result>): Promise<Result> =>
  db.tx(async (tx) => {
    // With this level each statement sees everything that was committed before the lock was taken.
    tx.send(sql`set transaction isolation level read committed`);
    await tx.query(sql`select pg_advisory_xact_lock(${TURN})`);
    return work(tx);
  });

/** Sums the next days before `end` into SPANS, at most those of one longest span. Answers whether there were any. */
async function sumUpSpan(tx: Tx, end: string): Promise<boolean> {
  const longest = raw(String(SPANS.lengths[0]));
  const [next] = await tx.query<{ first: string; beyond: string; isBegun: boolean }>(sql`
    select day as first, least(${end}::date, day - (day - date '1970-01-01') % ${longest} + ${longest}) as beyond,
      spans_until > day - (day - date '1970-01-01') % ${longest} as "isBegun" from (
      select greatest(spans_until, (select min(day) from statistics_days where grain = 0)) as day, spans_until from statistics_state) d
    where day > '-infinity' and day < ${end}`);
  if (!next) return false;
  const { first, beyond, isBegun } = next;
  // A span that has not begun has no rows yet.
  const add = isBegun ? addTo : writeTo;
  tx.send(sql`set local work_mem = ${MEMORY}`);
  tx.send(add(SPANS, madeFrom(raw('statistics_days'), SPANS, sql`day >= ${first} and day < ${beyond}`)));
  tx.send(sql`update statistics_state set spans_until = ${beyond}`);
  return true;
}

/** Makes the next of PAIR_SPANS of days before `end`, for about `batch` orders. Answers whether there were any. */
async function sumUpPairs(tx: Tx, end: string, batch: number): Promise<boolean> {
  const [next] = await tx.query<{ first: string; from: bigint; last: bigint | null }>(sql`
    select first::text as first, pairs_merchant as "from",
      (select min(merchant_id) from (${cutsOf(sql`first`, batch)}) c where merchant_id >= pairs_merchant) as last
    from (
      select ${spanOf(sql`day`)} as first, pairs_merchant from (
        select greatest(pairs_until, (select min(day) from statistics_days where grain = 0)) as day, pairs_merchant from statistics_state) d
      where day > '-infinity') s
    where ${afterSpan(sql`first`)} <= ${end}::date`);
  if (!next) return false;
  const { from, last } = next;
  const first = sql`${next.first}::date`;
  const are = sql`day >= ${first} and day < ${afterSpan(first)} and merchant_id >= ${from} ${last === null ? empty : sql`and merchant_id <= ${last}`}`;
  tx.send(sql`set local work_mem = ${MEMORY}`);
  tx.send(writeTo(PAIR_SPANS, madeFrom(raw(DAYS.name), PAIR_SPANS, are)));
  tx.send(
    last === null
      ? sql`update statistics_state set pairs_until = ${afterSpan(first)}, pairs_merchant = 0`
      : sql`update statistics_state set pairs_until = ${first}, pairs_merchant = ${last + 1n}`,
  );
  return true;
}

/**
 * By this age most orders are paid and notified, or timed out. Before it, each change of an order would update rows that only this order
 * uses.
 */
const OPEN_FOR = 15 * MINUTE;
/** Orders of one transaction. It takes about 0.2 s, in which no changes are added. */
const SETTLED_BATCH = 20_000;

/** Adds orders that are old enough to the sums by merchant and supplier together. `batch`: orders of one transaction. */
export async function settleOrders(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  batch = SETTLED_BATCH,
): Promise<void> {
  const until = firstIdAt(new Date(clock.now().getTime() - OPEN_FOR));
  let isLeft = true;
  while (isLeft)
    isLeft = await inTurn(db, async (tx) => {
      const [next] = await tx.query<{ from: bigint; beyond: bigint }>(sql`
        select settled_until as "from", coalesce((
          select id from (select id from collection_orders union all select id from payout_orders) o
          where id >= settled_until and id < ${until} order by id offset ${batch} limit 1), ${until}) as beyond
        from statistics_state where settled_until < ${until}`);
      if (!next) return false;
      const are = sql`id >= ${next.from} and id < ${next.beyond}`;
      const orders = DIRECTIONS.map(
        (direction) => sql`select * from ${ordersOf(direction, sql`where ${are}`)} x`,
      );
      tx.send(sql`set local work_mem = ${MEMORY}`);
      tx.send(sql`update statistics_state set settled_until = ${next.beyond}`);
      const added = addedBy(lessWaiting(sql`(${join(orders, ' union all ')})`, are), sql`true`);
      tx.send(sql`with ${intoPairs(added)} select`);
      return next.beyond < until;
    });
}
