import { HALF_HOUR_DAYS } from '@sangam/contract/statistics.ts';
import { businessDay } from '@sangam/contract/time.ts';
import { DAY } from '../platform/clock.ts';
import { hot, join, raw, type Sql, type Tx, sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { addTo, firstSums, grouped, HALF_HOUR_TIMES, HALF_HOURS, TABLES, type SumTable } from './sums.ts';

/** Changes that one transaction adds up. */
const BATCH = 20_000;

/** One node adds up at a time: two would wait for each other's rows. Held by check and rebuild as well. */
export const TURN = raw('7426019');

const DROPPED = sql`(select half_hours_from from statistics_state)`;

/** Names of what is added up first: sums, times. */
const FIRST = ['first_sums', 'first_times'];

/** SQL condition on `slot`: the table keeps such days. */
const kept = (table: SumTable): Sql =>
  table.isByHalfHour ? sql`date '1970-01-01' + slot / 48 >= ${DROPPED}` : sql`true`;

/**
 * Takes changes away and adds them to the sums, in the caller's transaction, which must have the TURN. Answers how many. `limit`: the
 * most it takes.
 */
export async function addUpChanges(tx: Tx, limit = BATCH): Promise<number> {
  // Valued once for both tables of sums, and once for both of times.
  const first = [false, true].map(
    (isOfTimes) =>
      sql`${raw(FIRST[Number(isOfTimes)]!)} as materialized (${firstSums(isOfTimes, sql`gone`, sql`true`)})`,
  );
  const added = TABLES.map((table) => {
    const rows = grouped(table, raw(FIRST[Number(table.isOfTimes)]!), kept(table));
    return sql`${raw(`to_${table.name}`)} as (${addTo(table, rows)})`;
  });
  const [counted] = await tx.query<{ changes: number }>(
    hot(
      'add up statistics',
      sql`
    with gone as (
      delete from statistics_changes where ctid = any(array(select ctid from statistics_changes limit ${limit})) returning *
    ), ${join([...first, ...added])}
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
  platform: Platform,
  isStopped: () => boolean = () => false,
): Promise<number | undefined> {
  let total = 0;
  for (;;) {
    const now = platform.clock.now();
    const changes = await platform.db.tx(async (tx) => {
      const [turn] = await tx.query<{ mine: boolean }>(
        sql`select pg_try_advisory_xact_lock(${TURN}) as mine`,
      );
      if (!turn!.mine) return undefined;
      const added = await addUpChanges(tx);
      // What was committed before the last batch began is in the sums now.
      if (added > 0 && added < BATCH)
        tx.send(sql`update statistics_state set as_of = greatest(as_of, ${now})`);
      return added;
    });
    if (changes === undefined) return undefined;
    total += changes;
    if (changes < BATCH || isStopped()) return total;
  }
}

/** Forgets half hours that are too old; their days stay. */
export async function forgetHalfHours({ db, clock }: Platform): Promise<void> {
  const from = businessDay(new Date(clock.now().getTime() - HALF_HOUR_DAYS * DAY));
  await db.tx(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(${TURN})`);
    tx.send(sql`update statistics_state set half_hours_from = greatest(half_hours_from, ${from}::date)`);
    for (const { name } of [HALF_HOURS, HALF_HOUR_TIMES])
      tx.send(sql`delete from ${raw(name)} where day < ${DROPPED}`);
  });
}
