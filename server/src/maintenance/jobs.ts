import { JOBS, type getSystemState } from '@sangam/contract/endpoints/maintenance.ts';
import type { Locale } from '@sangam/contract/locale.ts';
import { businessDay, formatTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { archiveNow } from '../archive/run.ts';
import { audit } from '../platform/audit/record.ts';
import { DAY, HOUR } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { makePartitions } from '../platform/db/partitions.ts';
import type { Platform } from '../platform/platform.ts';
import { refuse, type Refusal } from '../platform/refusal.ts';
import { checkName } from '../platform/texts.ts';
import type { Viewer } from '../platform/viewer.ts';
import { checkDay, daysOf } from '../statistics/check.ts';
import { verifyNow } from '../verify/job.ts';

type Job = (typeof JOBS)[number];
type Result = Readonly<Record<string, unknown>>;
type Run = z.input<typeof getSystemState.output>['jobs'][number];

/** How many days have their sums compared with their orders. `npm run statistics -- check` compares all. */
const STATISTICS_DAYS = 31;
const MOST_SAID = 20;

/** A run that has not ended after this time was lost with its node. */
const LOST = HOUR;

/** What each job does. Each answers what to show about its run. */
const WORK: Readonly<Record<Job, (platform: Platform) => Promise<Result>>> = {
  async verify(platform) {
    const { broken, durationMs } = await verifyNow(platform);
    return { broken: broken.map(({ name }) => name), durationMs };
  },
  async archive(platform) {
    const { failures, ...done } = await archiveNow(platform);
    if (failures.length > 0) throw new Error(failures.join('\n'));
    return done;
  },
  async partitions(platform) {
    // A node without the owner's rights refuses. Another node makes the partitions.
    if (!platform.owner)
      throw new Error('this node was not given the owner of the tables (DATABASE_OWNER_URL)');
    await makePartitions({ db: platform.owner, clock: platform.clock });
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

/** The last run of each job that somebody started, under way or ended. */
export async function lastRuns({ db, clock }: Platform, locale: Locale): Promise<Run[]> {
  const rows = await db.query<Row>(sql`
    select distinct on (j.job) j.job, j.started_at as "startedAt", j.ended_at as "endedAt", u.account, j.failure, j.result
    from job_runs j left join users u on u.id = j.started_by order by j.job, j.id desc`);
  return JOBS.map((job) => {
    const row = rows.find((each) => each.job === job);
    const running = row?.endedAt === null && clock.now().getTime() - row.startedAt.getTime() < LOST;
    return {
      job,
      running,
      startTime: row ? formatTime(row.startedAt) : null,
      endTime: row?.endedAt ? formatTime(row.endedAt) : null,
      account: row?.account ?? null,
      failure: row?.failure ?? null,
      result: row?.result ? inWords(row.result, locale) : null,
    };
  });
}

/** A result with the names of its broken checks in a language. */
function inWords(result: Result, locale: Locale): Result {
  const { broken } = result;
  if (!Array.isArray(broken)) return result;
  return { ...result, broken: broken.map((each: unknown) => checkName(String(each), locale)) };
}

/** Starts a job on this node and answers at once. A job that is under way is not started again. */
export async function runJob(
  platform: Platform,
  viewer: Viewer,
  { job }: { readonly job: Job },
): Promise<Record<string, never> | Refusal> {
  if ((await lastRuns(platform, viewer.locale)).some((run) => run.job === job && run.running))
    return refuse('conflict');
  const id = platform.ids.next();
  await platform.db.tx(async (tx) => {
    await tx.query(sql`
      insert into job_runs (id, job, started_by, started_at) values (${id}, ${job}, ${viewer.userId}, ${platform.clock.now()})`);
    await audit(platform, tx, {
      userId: viewer.userId,
      action: 'maintenance.runJob',
      subject: `job:${job}`,
      ip: viewer.ip,
    });
  });
  void work(platform, id, job);
  return {};
}

async function work(platform: Platform, id: bigint, job: Job): Promise<void> {
  const end = (result: Result | null, failure: string | null) =>
    platform.db.query(sql`
      update job_runs set ended_at = ${platform.clock.now()}, result = ${result && JSON.stringify(result)}, failure = ${failure}
      where id = ${id}`);
  try {
    await end(await WORK[job](platform), null);
  } catch (error) {
    platform.log.error({ err: error, job }, 'a job that was run by hand failed');
    await end(null, String(error)).catch(() => undefined);
  }
}
