import type { getVerifyRuns } from '@sangam/contract/endpoints/fund.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { empty, sql } from '../platform/db/database.ts';
import { readPage } from '../platform/db/page.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, type Refusal } from '../platform/refusal.ts';
import { checkName } from '../platform/texts.ts';
import type { Viewer } from '../platform/viewer.ts';

type Output = z.input<typeof getVerifyRuns.output>;

interface Row {
  readonly id: bigint;
  readonly scope: 'whole' | 'recent';
  readonly ok: boolean;
  readonly checks: number;
  readonly broken: { name: string; detail: string; unfinished?: true }[];
  readonly startedAt: Date;
  readonly durationMs: number;
}

/** The runs of the checks, newest first. Staff see all of them; the route decides who may call it. */
export async function listVerifyRuns(
  platform: Platform,
  { locale }: Viewer,
  input: z.output<typeof getVerifyRuns.input>,
): Promise<Output | Refusal> {
  const page = await readPage<Row>(platform, input, {
    columns: sql`r.id, r.scope, r.is_ok as ok, r.checks, r.broken, r.started_at as "startedAt", r.duration_ms as "durationMs"`,
    from: sql`from verify_runs r where true ${input.ok === undefined ? empty : sql`and r.is_ok = ${input.ok}`}`,
    key: sql`r.id`,
  });
  if (isRefusal(page)) return page;
  return {
    ...page,
    list: page.list.map(({ startedAt, broken, ...row }) => ({
      ...row,
      broken: broken.map((each) => ({ ...each, name: checkName(each.name, locale) })),
      id: String(row.id),
      startTime: formatTime(startedAt),
    })),
  };
}
