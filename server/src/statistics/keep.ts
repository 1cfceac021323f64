import { HALF_HOUR_DAYS } from '@sangam/contract/statistics.ts';
import { businessDay } from '@sangam/contract/time.ts';
import { DAY } from '../platform/clock.ts';
import { hot, raw, type Sql, type Tx, sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import {
  addTo,
  DAYS,
  firstSums,
  grouped,
  HALF_HOURS,
  longerSpans,
  SPAN_DAYS,
  SPANS,
  sumsOfDays,
  writeTo,
} from './sums.ts';

/** Changes that one transaction adds up. */
const BATCH = 20_000;

/** One node adds up at a time: two would wait for each other's rows. Rebuilds share it: none adds up meanwhile. */
export const TURN = raw('7426019');

/** Of a statement that sums up many orders: it groups and sorts them without files. */
export const MEMORY = raw(`'128MB'`);

/** SQL condition on `grain` and `day` of rows of half hours: they are kept. */
export const IS_KEPT_HALF_HOUR: Sql = sql`(grain = 0 or day >= (select half_hours_from from statistics_state))`;
/** SQL condition on `slot`: its day is in the spans. */
export const IS_IN_SPANS: Sql = sql`date '1970-01-01' + slot / 48 < (select spans_until from statistics_state)`;

/** Takes changes away, a BATCH at most, and adds them to the sums, in the caller's transaction, which must have the TURN. Answers how many. */
async function addUpChanges(tx: Tx): Promise<number> {
  const first = raw('first_sums');
  const halfHours = sql`select * from (${grouped(HALF_HOURS, first, sql`true`)}) h where ${IS_KEPT_HALF_HOUR}`;
  // Without parameters a connection plans it once: each plan took some 12 ms.
  const [counted] = await tx.query<{ changes: number }>(
    hot(
      'add up statistics',
      sql`
    with gone as (
      delete from statistics_changes where ctid = any(array(select ctid from statistics_changes limit ${raw(String(BATCH))})) returning *
    ), first_sums as materialized (${firstSums(sql`gone`, sql`true`)}),
    to_days as (${addTo(DAYS, grouped(DAYS, first, sql`true`))}),
    to_half_hours as (${addTo(HALF_HOURS, halfHours)}),
    to_spans as (${addTo(SPANS, grouped(SPANS, first, IS_IN_SPANS))})
    select count(*)::int as changes from gone`,
    ),
  );
  return counted!.changes;
}

/**
 * Adds up what has changed, until nothing is left; on one node at a time. Answers the number of changes, or undefined where
 * another node is at it.
 */
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
      // What was committed before the last batch began is in the sums now.
      if (added < BATCH) tx.send(sql`update statistics_state set as_of = greatest(as_of, ${now})`);
      return added;
    });
    if (changes === undefined) return undefined;
    total += changes;
    if (changes < BATCH || isStopped()) return total;
  }
}

/** Forgets half hours that are too old, but for those of all orders together; their days stay. */
export async function forgetHalfHours({ db, clock }: Platform): Promise<void> {
  const from = businessDay(new Date(clock.now().getTime() - HALF_HOUR_DAYS * DAY));
  await db.tx(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(${TURN})`);
    tx.send(sql`update statistics_state set half_hours_from = greatest(half_hours_from, ${from}::date)`);
    tx.send(sql`delete from statistics_half_hours where not ${IS_KEPT_HALF_HOUR}`);
  });
}

/** Days that change too much to be summed up in spans: today and the day before. */
const OPEN_DAYS = 2;

/** Sums up in spans the days that have become old enough; the days of one span of the longest a transaction. */
export async function sumUpDays({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<void> {
  const end = businessDay(new Date(clock.now().getTime() - (OPEN_DAYS - 1) * DAY));
  const longest = raw(String(SPAN_DAYS[0]));
  let isLeft = true;
  while (isLeft)
    isLeft = await db.tx(async (tx) => {
      await tx.query(sql`select pg_advisory_xact_lock(${TURN})`);
      const [next] = await tx.query<{ first: string; beyond: string; isBegun: boolean }>(sql`
        select day as first, least(${end}::date, day - (day - date '1970-01-01') % ${longest} + ${longest}) as beyond,
          spans_until > day - (day - date '1970-01-01') % ${longest} as "isBegun" from (
          select greatest(spans_until, (select min(day) from statistics_days where grain = 0)) as day, spans_until from statistics_state) d
        where day > '-infinity' and day < ${end}`);
      if (!next) return false;
      const { first, beyond, isBegun } = next;
      const days = sql`day >= ${first} and day < ${beyond}`;
      // Of a span that has not begun nothing is there.
      const add = isBegun ? addTo : writeTo;
      tx.send(sql`set local work_mem = ${MEMORY}`);
      tx.send(add(SPANS, grouped(SPANS, sql`(${sumsOfDays(days)})`, sql`true`, [1])));
      tx.send(add(SPANS, longerSpans(days)));
      tx.send(sql`update statistics_state set spans_until = ${beyond}`);
      return true;
    });
}
