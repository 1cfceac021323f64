import type { getSettlementRows, getSettlementRuns } from '@sangam/contract/endpoints/settlement.ts';
import type { Currency } from '@sangam/contract/money.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { empty, sql } from '../../platform/db/database.ts';
import { idFilter, readPage } from '../../platform/db/page.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, type Refusal } from '../../platform/refusal.ts';
import { scopeOf, type Viewer } from '../../platform/viewer.ts';

interface RunRow {
  readonly id: bigint;
  readonly throughDay: string;
  readonly merchantId: bigint | null;
  readonly merchantName: string | null;
  readonly startedBy: string | null;
  readonly total: number;
  readonly done: number;
  readonly amounts: { currency: Currency; amount: number }[];
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
}

/** All settlement runs, newest first. The endpoint's roles decide who may call it. */
export async function listRuns(
  platform: Platform,
  _viewer: Viewer,
  input: z.output<typeof getSettlementRuns.input>,
): Promise<z.input<typeof getSettlementRuns.output> | Refusal> {
  const page = await readPage<RunRow>(platform, input, {
    columns: sql`r.id, r.through_day::text as "throughDay", r.merchant_id as "merchantId", m.name as "merchantName",
      u.nickname as "startedBy", r.total, r.done, r.started_at as "startedAt", r.finished_at as "finishedAt",
      coalesce((select json_agg(json_build_object('currency', s.currency, 'amount', s.amount) order by s.currency)
        from (select currency, sum(amount) as amount from settlement_rows where run_id = r.id group by 1) s), '[]') as amounts`,
    from: sql`from settlement_runs r left join merchants m on m.id = r.merchant_id left join users u on u.id = r.started_by
      where true ${input.finished === undefined ? empty : sql`and (r.finished_at is not null) = ${input.finished}`}`,
    key: sql`r.id`,
  });
  if (isRefusal(page)) return page;
  return {
    ...page,
    list: page.list.map(({ startedAt, finishedAt, ...run }) => ({
      ...run,
      id: String(run.id),
      merchantId: run.merchantId === null ? null : String(run.merchantId),
      startTime: formatTime(startedAt),
      finishTime: finishedAt && formatTime(finishedAt),
    })),
  };
}

interface MovedRow {
  readonly postingId: bigint;
  readonly runId: bigint;
  readonly merchantId: bigint;
  readonly merchantName: string;
  readonly currency: Currency;
  readonly dueDay: string;
  readonly amount: bigint;
  readonly settledAt: Date;
}

/** Balances that runs have made available, newest first, of the merchants the viewer may see. */
export async function listRows(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof getSettlementRows.input>,
): Promise<z.input<typeof getSettlementRows.output> | Refusal> {
  const page = await readPage<MovedRow>(platform, input, {
    columns: sql`r.posting_id as "postingId", r.run_id as "runId", r.merchant_id as "merchantId", m.name as "merchantName",
      r.currency, r.due_day::text as "dueDay", r.amount, r.settled_at as "settledAt"`,
    from: sql`from settlement_rows r join merchants m on m.id = r.merchant_id
      where true ${scopeOf(viewer, { merchant: sql`r.merchant_id` })}
      ${input.runId === undefined ? empty : idFilter(sql`r.run_id`, input.runId)}
      ${input.merchantId === undefined ? empty : idFilter(sql`r.merchant_id`, input.merchantId)}`,
    key: sql`r.posting_id`,
  });
  if (isRefusal(page)) return page;
  return {
    ...page,
    list: page.list.map(({ settledAt, ...row }) => ({
      ...row,
      id: String(row.postingId),
      postingId: String(row.postingId),
      runId: String(row.runId),
      merchantId: String(row.merchantId),
      amount: Number(row.amount),
      time: formatTime(settledAt),
    })),
  };
}
