import { JOBS, type getSystemState } from '@sangam/contract/endpoints/maintenance.ts';
import type { Locale } from '@sangam/contract/locale.ts';
import { businessDay, formatTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { archiveNow } from '../archive/run.ts';
import { audit } from '../platform/audit/record.ts';
import { DAY, HOUR } from '../platform/clock.ts';
import { type Queryable, type Sql, sql } from '../platform/db/database.ts';
import { makePartitions } from '../platform/db/partitions.ts';
import type { Platform } from '../platform/platform.ts';
import { refuse, type Refusal } from '../platform/refusal.ts';
import { checkName } from '../platform/texts.ts';
import type { Viewer } from '../platform/viewer.ts';
import { checkDay, daysOf } from '../statistics/check.ts';
import { verifyNow } from '../verify/job.ts';
import { hasLoop } from './nodes.ts';

type Job = (typeof JOBS)[number];
type Result = Readonly<Record<string, unknown>>;
type Run = z.input<typeof getSystemState.output>['jobs'][number];

/** How many days have their sums compared with their orders. `npm run statistics -- check` compares all. */
const STATISTICS_DAYS = 31;
const MOST_SAID = 20;

/** A run that has not ended after this time was lost with its node. */
const LOST = HOUR;
export const lostBefore = (now: Date): Date => new Date(now.getTime() - LOST);

/** How many runs by schedule are kept of each job. Runs that somebody started are all kept. */
const KEPT = 20;

/** Jobs that only a node with the owner's connection can do. */
const OWNERS: ReadonlySet<Job> = new Set(['partitions', 'archive']);
/** The loop in which such a node does what was asked of others. Only nodes with the owner's connection have it. */
export const ASKED_JOBS = 'asked jobs';

/** What each job does. Each answers what to show about its run, as `failure` what went wrong. */
const WORK: Readonly<
  Record<Job, (platform: Platform) => Promise<Result & { readonly failure?: string | undefined }>>
> = {
  async verify(platform) {
    const { broken, durationMs } = await verifyNow(platform);
    return { broken: broken.map(({ name }) => name), durationMs };
  },
  async archive(platform) {
    const { failures, ...done } = await archiveNow(platform);
    return { ...done, failure: failures.join('\n') || undefined };
  },
  async partitions(platform) {
    await makePartitions({ db: platform.owner!, clock: platform.clock });
    return {};
  },
  async statistics({ db, clock }) {
    const from = businessDay(new Date(clock.now().getTime() - STATISTICS_DAYS * DAY));
    const broken: string[] = [];
    for (const day of await daysOf(db, { from }))
      for (const detail of await checkDay(db, day))
        if (broken.length < MOST_SAID) broken.push(`${day} ${detail}`);
    return { broken };
  },
};

interface Row {
  readonly job: Job;
  readonly startedAt: Date;
  readonly endedAt: Date | null;
  readonly account: string | null;
  readonly failure: string | null;
  readonly result: Result | null;
}

const RUNS = sql`
  select j.id, j.job, j.started_at, j.ended_at, u.account, j.failure, j.result from job_runs j left join users u on u.id = j.started_by`;
/** The runs of `verify` by schedule have a list of their own. A run that somebody started is in both. */
const VERIFY_RUNS = sql`
  select v.id, 'verify', v.started_at, v.started_at + v.duration_ms * interval '1 millisecond', null, null,
    jsonb_build_object('broken', jsonb_path_query_array(v.broken, '$[*].name'), 'durationMs', v.duration_ms)
  from verify_runs v where v.scope = 'whole' and not exists (
    select from job_runs j where j.job = 'verify' and v.started_at between j.started_at and coalesce(j.ended_at, j.started_at + interval '1 hour'))`;

/** The last run of each job, by hand or by schedule, under way or ended, and the last that found something wrong. */
export async function lastRuns({ db, clock }: Platform, locale: Locale): Promise<Run[]> {
  const newestOf = (runs: Sql) =>
    db.query<Row>(sql`
      select distinct on (job) job, started_at as "startedAt", ended_at as "endedAt", account, failure, result
      from (${runs}) r (id, job, started_at, ended_at, account, failure, result) order by job, started_at desc, id desc`);
  const [rows, failed] = await Promise.all([
    newestOf(sql`${RUNS} union all (${VERIFY_RUNS} order by v.id desc limit 1)`),
    newestOf(sql`
      ${RUNS} where j.failure is not null or jsonb_array_length(j.result -> 'broken') > 0
      union all (${VERIFY_RUNS} and not v.is_ok order by v.id desc limit 1)`),
  ]);
  return JOBS.map((job) => {
    const row = rows.find((each) => each.job === job);
    const wrong = failed.find((each) => each.job === job);
    const running = row?.endedAt === null && row.startedAt > lostBefore(clock.now());
    return {
      job,
      running,
      startTime: row ? formatTime(row.startedAt) : null,
      endTime: row?.endedAt ? formatTime(row.endedAt) : null,
      account: row?.account ?? null,
      failure: row?.failure ?? null,
      result: row?.result ? inWords(row.result, locale) : null,
      failedTime: wrong ? formatTime(wrong.startedAt) : null,
    };
  });
}

/** A result with the names of its broken checks in a language. */
function inWords(result: Result, locale: Locale): Result {
  const { broken } = result;
  if (!Array.isArray(broken)) return result;
  return { ...result, broken: broken.map((each: unknown) => checkName(String(each), locale)) };
}

/**
 * Starts a job and answers at once. A job that is under way is not started again. If only another node can do it, that node begins within
 * seconds; if there is none, the job is refused.
 */
export async function runJob(
  platform: Platform,
  viewer: Viewer,
  { job }: { readonly job: Job },
): Promise<Record<string, never> | Refusal> {
  if ((await lastRuns(platform, viewer.locale)).some((run) => run.job === job && run.running))
    return refuse('conflict');
  const isOurs = platform.owner !== undefined || !OWNERS.has(job);
  if (!isOurs && !(await hasLoop(platform, ASKED_JOBS))) return refuse('ownerNodeMissing');
  const id = await platform.db.tx(async (tx) => {
    await audit(platform, tx, {
      userId: viewer.userId,
      action: 'maintenance.runJob',
      subject: `job:${job}`,
      ip: viewer.ip,
    });
    return begin(platform, tx, job, { by: viewer.userId, isTaken: isOurs });
  });
  if (isOurs)
    void work(platform, id, job).catch((error: unknown) => {
      platform.log.error({ err: error, job }, 'a job that was run by hand failed');
    });
  return {};
}

/** Does the jobs that were asked of nodes without the owner's connection. */
export async function runAsked(platform: Platform): Promise<void> {
  const { db, clock } = platform;
  const [asked] = await db.query<{ id: bigint; job: Job }>(sql`
    update job_runs set taken_at = ${clock.now()} where id = (
      select id from job_runs where taken_at is null and started_at > ${lostBefore(clock.now())}
      order by id limit 1 for update skip locked)
    returning id, job`);
  if (asked) await work(platform, asked.id, asked.job);
}

/** Runs a job by schedule and keeps its outcome. */
export async function runScheduled(platform: Platform, job: Job): Promise<void> {
  const id = await begin(platform, platform.db, job, { by: null, isTaken: true });
  await platform.db.query(sql`
    delete from job_runs where job = ${job} and started_by is null and id < (
      select id from job_runs where job = ${job} and started_by is null order by id desc offset ${KEPT - 1} limit 1)`);
  await work(platform, id, job);
}

async function begin(
  { ids, clock }: Platform,
  db: Queryable,
  job: Job,
  { by, isTaken }: { readonly by: bigint | null; readonly isTaken: boolean },
): Promise<bigint> {
  const [id, now] = [ids.next(), clock.now()];
  await db.query(sql`
    insert into job_runs (id, job, started_by, started_at, taken_at) values (${id}, ${job}, ${by}, ${now}, ${isTaken ? now : null})`);
  return id;
}

/** Does a job and writes how it ended. Throws when the job does. */
async function work(platform: Platform, id: bigint, job: Job): Promise<void> {
  const end = (result: Result | null, failure: string | null) =>
    platform.db.query(sql`
      update job_runs set ended_at = ${platform.clock.now()}, result = ${result && JSON.stringify(result)}, failure = ${failure}
      where id = ${id}`);
  try {
    const { failure = null, ...result } = await WORK[job](platform);
    await end(result, failure);
  } catch (error) {
    await end(null, String(error)).catch(() => undefined);
    throw error;
  }
}
