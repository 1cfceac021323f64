import type { getSystemState, QUEUES } from '@sangam/contract/endpoints/maintenance.ts';
import type { z } from 'zod';
import { DAY, SECOND } from '../platform/clock.ts';
import { type Queryable, type Sql, sql } from '../platform/db/database.ts';
import { firstIdAt, timeOfId } from '../platform/db/ids.ts';
import type { Platform } from '../platform/platform.ts';
import type { Viewer } from '../platform/viewer.ts';
import { lastRuns, lostBefore } from './jobs.ts';

type State = z.input<typeof getSystemState.output>;
type Queue = (typeof QUEUES)[number];

/** How far back credits without an order are counted. Older ones are in their own list. */
const LOOKED_BACK = 7 * DAY;
const MOST_TABLES = 8;

/** Queues, monitors, database and jobs at this moment. */
export async function readSystemState(platform: Platform, { locale }: Viewer): Promise<State> {
  const [queues, monitors, database, jobs] = await Promise.all([
    readQueues(platform),
    readMonitors(platform),
    readDatabase(platform.db, platform.clock.now()),
    lastRuns(platform, locale),
  ]);
  return { queues, monitors, database, jobs };
}

/** For each queue: how many entries wait, and since when the oldest waits (or an id that carries that time). */
function queuesAt(now: Date): Readonly<Record<Queue, Sql>> {
  const since = firstIdAt(new Date(now.getTime() - LOOKED_BACK));
  return {
    ordersPastExpiry: sql`select count(*) as n, min(expires_at) as at from waiting_orders where not timed_out and expires_at <= ${now}`,
    callbacksDue: sql`select count(*) as n, min(next_at) as at from callback_queue where next_at <= ${now}`,
    callbacksGivenUp: sql`select count(*) as n, min(created_at) as at from callbacks where given_up = 2`,
    creditsUnmatched: sql`
      select count(*) as n, min(reported_at) as at from messages
      where id >= ${since} and direction = 'credit' and state = 'unmatched'`,
    messagesHeld: sql`select count(*) as n, min(held_at) as at from chain_holds`,
    payoutsSending: sql`select count(*) as n, min(sending_since) as at from payout_orders where sending_since is not null`,
    approvalsPending: sql`
      select count(*) as n, min(started_at) as at from approvals where status = 'pending' and expires_at > ${now}`,
    settlementRuns: sql`select count(*) as n, min(started_at) as at from settlement_runs where finished_at is null`,
    jobs: sql`
      select count(*) as n, min(at) as at from (
        select started_at as at from job_runs where ended_at is null and started_at > ${lostBefore(now)}
        union all select asked_at from archive_restores where state = 'waiting') j`,
    statisticsDue: sql`select count(*) as n, null::timestamptz as at, min(id) as id from order_changes`,
  };
}

async function readQueues({ db, clock }: Platform): Promise<State['queues']> {
  const now = clock.now();
  return Promise.all(
    Object.entries(queuesAt(now)).map(async ([kind, statement]) => {
      const [row] = await db.query<{ n: bigint; at: Date | null; id?: bigint | null }>(statement);
      const { n, id } = row!;
      const at = id ? timeOfId(id) : row!.at;
      const oldestSeconds = at && Math.max(0, Math.round((now.getTime() - at.getTime()) / 1000));
      return { kind: kind as Queue, count: Number(n), oldestSeconds };
    }),
  );
}

async function readMonitors({ db, clock, settings }: Platform): Promise<State['monitors']> {
  const { MonitorLiveTime } = await settings.all();
  const since = new Date(clock.now().getTime() - MonitorLiveTime * SECOND);
  const [row] = await db.query<State['monitors']>(sql`
    select count(*)::int as total, (count(*) filter (where last_seen_at is null or last_seen_at < ${since}))::int as silent
    from monitors where enabled`);
  return row!;
}

async function readDatabase(db: Queryable, now: Date): Promise<State['database']> {
  const [sizes, partitions, deadRows, oldest, replicas] = await Promise.all([
    db.query<{ bytes: bigint; connections: number; most: number }>(sql`
      select pg_database_size(current_database()) as bytes, current_setting('max_connections')::int as most,
        (select count(*)::int from pg_stat_activity where datname = current_database()) as connections`),
    readPartitions(db, now),
    db.query<{ table: string; live: number; dead: number }>(sql`
      select relname as table, n_live_tup::float8 as live, n_dead_tup::float8 as dead from pg_stat_user_tables
      where n_dead_tup > 0 order by n_dead_tup desc limit ${MOST_TABLES}`),
    db.query<{ seconds: number; application: string; state: string; pid: number }>(sql`
      select extract(epoch from clock_timestamp() - xact_start)::int as seconds, application_name as application,
        coalesce(state, '') as state, pid
      from pg_stat_activity where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()
      order by xact_start limit 1`),
    db.query<{ name: string; lagSeconds: number | null }>(sql`
      select coalesce(application_name, client_addr::text, '') as name, extract(epoch from replay_lag)::float8 as "lagSeconds"
      from pg_stat_replication order by 1`),
  ]);
  const { bytes, connections, most } = sizes[0]!;
  return {
    bytes: Number(bytes),
    connections,
    mostConnections: most,
    partitions,
    deadRows,
    oldestTransaction: oldest[0] ?? null,
    replicas,
  };
}

/** The upper bound of a table's last partition is the first id of the month after it. */
async function readPartitions(db: Queryable, now: Date): Promise<State['database']['partitions']> {
  const rows = await db.query<{ table: string; count: number; bound: string | null }>(sql`
    select p.relname as table, count(*)::int as count,
      max(substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \\(''?(\\d+)')::bigint)::text as bound
    from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
    where p.relkind = 'p' group by 1 order by 1`);
  return rows.map(({ table, count, bound }) => {
    const until = bound === null ? now : timeOfId(BigInt(bound));
    const months =
      (until.getUTCFullYear() - now.getUTCFullYear()) * 12 + until.getUTCMonth() - now.getUTCMonth() - 1;
    return { table, count, monthsAhead: Math.max(0, months) };
  });
}
