import { PROFILE_STAGES, type getOrderProfile } from '@sangam/contract/endpoints/profile.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { MINUTE } from '../../platform/clock.ts';
import { type Tx, sql } from '../../platform/db/database.ts';
import { PAYOUT } from '../../platform/db/statuses.ts';
import { firstIdAt } from '../../platform/db/ids.ts';
import { stageTimes, type Stage } from '../../platform/stage-times.ts';
import type { Platform } from '../../platform/platform.ts';
import { refuse, type Refusal } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';

type Output = z.input<typeof getOrderProfile.output>;

const DEFAULT_MINUTES = 60;
/** The analysis must not add load to a busy system. */
const PATIENCE = '5s';
const SLOWEST = 20;

/** The platform's figures of the last minutes. Refuses with 429 when the database cannot answer a query within five seconds. */
export async function orderProfile(
  platform: Platform,
  viewer: Viewer,
  { minutes = DEFAULT_MINUTES }: z.output<typeof getOrderProfile.input>,
): Promise<Output | Refusal> {
  if (viewer.role !== 'superAdmin') return refuse('forbidden');
  const to = platform.clock.now();
  const from = new Date(to.getTime() - minutes * MINUTE);
  try {
    return await platform.db.tx(async (tx) => {
      await tx.query(sql`set transaction read only`);
      await tx.query(sql`select set_config('statement_timeout', ${PATIENCE}, true)`);
      return {
        from: formatTime(from),
        to: formatTime(to),
        stages: PROFILE_STAGES.map((stage) => stageRow(platform, stage, from)),
        throughput: await throughputSince(tx, from),
        queues: await queuesAt(tx, to),
        slowestQueries: await slowestQueries(tx),
      };
    });
  } catch (error) {
    if ((error as { code?: string }).code === QUERY_CANCELLED) return refuse('tooMany');
    throw error;
  }
}

const QUERY_CANCELLED = '57014';

function stageRow(platform: Platform, stage: Stage, since: Date): Output['stages'][number] {
  const times = stageTimes(platform, stage, since);
  /** The percentile by nearest rank. */
  const at = (share: number) => {
    const ms = times[Math.max(0, Math.ceil(times.length * share) - 1)];
    return ms === undefined ? null : Math.round(ms * 100) / 100;
  };
  return { stage, calls: times.length, p50: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1) };
}

async function throughputSince(tx: Tx, from: Date): Promise<Output['throughput']> {
  const since = firstIdAt(from);
  const rows = await tx.query<{ minute: Date; created: number; paid: number; callbacks: number }>(sql`
    select date_trunc('minute', created_at) as minute, count(*) filter (where what = 'created')::int as created,
      count(*) filter (where what = 'paid')::int as paid, count(*) filter (where what = 'callback')::int as callbacks
    from (
      select created_at, 'created' as what from collection_orders where id >= ${since}
      union all select created_at, 'created' from payout_orders where id >= ${since}
      union all select created_at, 'paid' from order_events
        where id >= ${since} and kind in ('paid', 'supplemented', 'completed')
      union all select created_at, 'callback' from callback_attempts where id >= ${since}
    ) each
    group by 1 order by 1 desc`);
  return rows.map(({ minute, ...row }) => ({ time: formatTime(minute), ...row }));
}

async function queuesAt(tx: Tx, now: Date): Promise<Output['queues']> {
  const [queues] = await tx.query<Output['queues']>(sql`
    select
      (select count(*)::int from waiting_orders where not timed_out) as "ordersWaiting",
      (select count(*)::int from waiting_orders where not timed_out and expires_at <= ${now}) as "ordersOverdue",
      (select count(*)::int from callback_queue where next_at <= ${now}) as "callbacksDue",
      (select count(*)::int from payout_orders where status = ${PAYOUT.waiting}) as "payoutsWaiting",
      (select count(*)::int from payout_orders where status = ${PAYOUT.toBeConfirmed}) as "payoutsToConfirm",
      (select count(*)::int from approvals where status = 'pending' and expires_at > ${now}) as approvals`);
  return queues!;
}

async function slowestQueries(tx: Tx): Promise<Output['slowestQueries']> {
  const [kept] = await tx.query(sql`
    select 1 from pg_extension e join pg_settings s on s.name = 'shared_preload_libraries'
    where e.extname = 'pg_stat_statements' and s.setting like '%pg_stat_statements%'`);
  if (!kept) return null;
  return tx.query(sql`
    select left(regexp_replace(query, '\\s+', ' ', 'g'), 500) as query, least(calls, 2147483647)::int as calls,
      round(mean_exec_time::numeric, 2)::float8 as "meanMs", round(total_exec_time::numeric, 2)::float8 as "totalMs"
    from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database())
    order by mean_exec_time desc limit ${SLOWEST}`);
}
