import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { ORDER_MARK } from '@sangam/contract/orders.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { DAY, SECOND } from '@sangam/server/platform/clock.ts';
import { raw, sql } from '@sangam/server/platform/db/database.ts';
import { firstIdAt } from '@sangam/server/platform/db/ids.ts';
import { daysOf } from '@sangam/server/statistics/check.ts';
import { addUp, forgetHalfHours, settleOrders, sumUpDays } from '@sangam/server/statistics/keep.ts';
import { rebuild } from '@sangam/server/statistics/rebuild.ts';
import { openSeeded } from './list/open.ts';
import { median } from './rounds.ts';

/*
 * Statistics screens over 90 days, over HTTP with a session, over the same question to the order tables by SQL, one after the other
 * in turn. Our answer has totals, the previous period and whole weeks before; SQL returns the rows only. Seeds the orders if they
 * are missing.
 *
 *   npm run bench -- statistics [--orders 10000000] [--requests 40] [--scans 3]
 */
const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: '10000000' },
    requests: { type: 'string', default: '40' },
    scans: { type: 'string', default: '3' },
    port: { type: 'string', default: '8396' },
  },
});
const DAYS = 90;
/** The most milliseconds a screen may take. */
const MOST = 100;
const MOST_SHARE = 0.05;

/** The groupings of the screens: our name, and the SQL expression. */
const GROUPINGS = {
  day: `(o.created_at at time zone 'Asia/Kolkata')::date`,
  merchant: 'o.merchant_id',
  supplier: 'o.supplier_id',
  product: 'o.product_id',
  bank: 'a.bank',
  mark: 'o.mark',
} as const;

const seconds = (ms: number) => (ms / SECOND).toFixed(0);
const p95 = (times: readonly number[]) =>
  times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1]!;

const world = await openSeeded(Number(values.orders), Number(values.port));
try {
  const { platform } = world;
  const [changes] = await platform.db.query<{ areMany: boolean }>(
    sql`select exists (select from statistics_changes offset 100000) as "areMany"`,
  );
  if (changes!.areMany) await rebuildAll();
  await addUp(platform);
  await settleOrders(platform);
  await sumUpDays(platform);
  await platform.db.query(sql`analyze statistics_days, statistics_half_hours, statistics_spans`);
  const to = new Date();
  const from = new Date(to.getTime() - (DAYS - 1) * DAY);
  const [merchant] = await platform.db.query<{ id: bigint }>(sql`
    select merchant_id as id from statistics_days where grain = 7 group by 1 order by sum(created) desc limit 1`);
  const faults: string[] = [];
  for (const [grouping, column] of Object.entries(GROUPINGS))
    for (const merchantId of [undefined, merchant!.id]) {
      const query = {
        orderType: '0',
        groupBy: grouping,
        startTime: formatTime(from).slice(0, 10),
        endTime: formatTime(to).slice(0, 10),
        ...(merchantId !== undefined && { merchantId: String(merchantId) }),
        // The same number of rows as the screen asks for.
        ...(grouping !== 'day' && { rows: '100' }),
      };
      const ours: number[] = [];
      const scans: number[] = [];
      const cpu = { server: 0, postgres: 0 };
      await world.timed('/v1.0/statistics/getTable', query);
      for (let n = 0; n < Number(values.requests); n += 1) {
        const before = world.cpuMs();
        ours.push(await world.timed('/v1.0/statistics/getTable', query));
        const after = world.cpuMs();
        cpu.server += after.server - before.server;
        cpu.postgres += after.postgres - before.postgres;
        if (n < Number(values.scans)) scans.push(await scan(column, merchantId));
      }
      const cpuOf = (ms: number) => (ms / Number(values.requests)).toFixed(0);
      const [slow, share] = [p95(ours), median(ours) / median(scans)];
      const name = `by ${grouping}${merchantId === undefined ? '' : ' of one merchant'}`;
      console.log(
        `  ${name}: p95 ${slow.toFixed(1)} ms, median ${median(ours).toFixed(1)} / ${median(scans).toFixed(0)} ms = ${share.toFixed(3)}; CPU ${cpuOf(cpu.postgres)} ms of PostgreSQL, ${cpuOf(cpu.server)} of Node`,
      );
      if (slow > MOST) faults.push(`${name}: p95 ${slow.toFixed(0)} ms`);
      if (merchantId === undefined && share > MOST_SHARE) faults.push(`${name}: ${share.toFixed(3)} of SQL`);
    }
  console.log(faults.length === 0 ? 'within its goals' : `NOT within its goals:\n  ${faults.join('\n  ')}`);
  console.log(`load ${loadavg()[0]!.toFixed(1)}`);

  /**
   * For newly seeded orders: rebuilds all days from the orders, as `npm run statistics -- rebuild` does, over three scans of the
   * orders. Half hours that are too old are deleted first, as in production.
   */
  async function rebuildAll(): Promise<void> {
    await platform.db.query(sql`truncate statistics_changes`);
    await forgetHalfHours(platform);
    const startedAt = performance.now();
    await rebuild(platform, await daysOf(platform.db, {}));
    const rebuilt = performance.now();
    await sumUpDays(platform);
    const summedUp = performance.now();
    await settleOrders(platform);
    const settled = performance.now();
    for (let n = 0; n < 3; n += 1)
      await platform.db.query(sql`select sum(length(o::text)) from collection_orders o`);
    const [days, spans, pairs] = [rebuilt - startedAt, summedUp - rebuilt, settled - summedUp];
    const scans = performance.now() - settled;
    console.log(
      `  rebuilt in ${seconds(days)} s and ${seconds(spans)} s of spans, merchant and supplier together ${seconds(pairs)} s; three scans ${seconds(scans)} s`,
    );
  }

  /** Milliseconds of the question asked of the order tables. */
  async function scan(column: string, merchantId: bigint | undefined): Promise<number> {
    const begun = performance.now();
    await platform.db.query(sql`
      select ${raw(column)} as key, o.currency, count(*), sum(o.amount), count(o.allocated_at), count(*) filter (where o.status = 5),
        count(*) filter (where o.status = 2), count(o.paid_at), sum(o.received), count(*) filter (where o.supplement_status = 1),
        count(o.reversed_at), sum(o.fee) filter (where o.reversed_at is null), sum(o.supplier_commission) filter (where o.reversed_at is null),
        percentile_disc(array[0.5, 0.9]) within group (order by o.paid_at - o.created_at)
      from collection_orders o left join accounts a on a.id = o.account_id
      where o.id >= ${firstIdAt(from)} and o.mark <> ${ORDER_MARK.test}
        and (${merchantId ?? null}::bigint is null or o.merchant_id = ${merchantId ?? null})
      group by 1, 2`);
    return performance.now() - begun;
  }
} finally {
  await world.stop();
}
