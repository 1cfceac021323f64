import type { getOrderSource, getSourceFunnel } from '@sangam/contract/endpoints/order-source.ts';
import { businessDay, parseTime } from '@sangam/contract/time.ts';
import type { Currency } from '@sangam/contract/money.ts';
import type { z } from 'zod';
import { DAY } from '../platform/clock.ts';
import { empty, type Sql, sql } from '../platform/db/database.ts';
import { readPage } from '../platform/db/page.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, type Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';

interface Funnel {
  readonly currency: Currency;
  readonly created: number;
  readonly opened: number;
  readonly seen: number;
  readonly told: number;
  readonly paid: number;
  readonly acknowledged: number;
  readonly amount: bigint;
  readonly paidAmount: bigint;
}

const STEPS = sql`
  sum(s.r0)::int as created, sum(s.r1)::int as opened, sum(s.r2)::int as seen, sum(s.r3)::int as told, sum(s.r4)::int as paid,
  sum(s.r5)::int as acknowledged, sum(s.amount)::bigint as amount, sum(s.paid_amount)::bigint as "paidAmount"`;

type Filters = Pick<z.output<typeof getSourceFunnel.input>, 'startTime' | 'endTime' | 'merchantId'>;

interface Days {
  readonly from: string;
  readonly to: string;
}

const DEFAULT_DAYS = 31;

/** Whole business days. Without a given time the last 31, as in lists. */
function daysOf({ startTime, endTime }: Filters, now: Date): Days {
  const end = endTime === undefined ? now : parseTime(endTime)!;
  const start =
    startTime === undefined ? new Date(end.getTime() - (DEFAULT_DAYS - 1) * DAY) : parseTime(startTime)!;
  return { from: businessDay(start), to: businessDay(end) };
}

/** Every dimension counts each order once. The dimension of hours has the fewest rows. */
const rowsOf = (dimension: string, { from, to }: Days, { merchantId }: Filters): Sql => sql`
  from source_sums s where s.dimension = ${dimension} and s.day between ${from} and ${to}
    ${merchantId === undefined ? empty : sql`and s.merchant_id = ${BigInt(merchantId)}`}`;

const periodOf = ({ from, to }: Days) => ({ fromTime: `${from} 00:00:00`, toTime: `${to} 23:59:59` });

const shownFunnel = ({ amount, paidAmount, ...rest }: Funnel) => ({
  ...rest,
  amount: Number(amount),
  paidAmount: Number(paidAmount),
});

/** Orders of a period by one dimension of their source, most orders first. Read from sums, never from orders. */
export async function listSources(
  platform: Platform,
  _viewer: Viewer,
  input: z.output<typeof getOrderSource.input>,
): Promise<z.input<typeof getOrderSource.output> | Refusal> {
  const days = daysOf(input, platform.clock.now());
  const by = input.by ?? 'merchant';
  const summed = by === 'merchant' || by === 'day';
  const value = by === 'merchant' ? sql`s.merchant_id::text` : by === 'day' ? sql`s.day::text` : sql`s.value`;
  const name =
    by === 'merchant' ? sql`(select m.name from merchants m where m.id = t.value::bigint)` : sql`t.value`;
  const page = await readPage<Funnel & { readonly value: string; readonly name: string }>(platform, input, {
    columns: sql`t.*, ${name} as name`,
    // The key of a page: most orders first, then any fixed order.
    from: sql`
      from (
        select *, (created::bigint << 40) | (hashtextextended(value || currency, 0) & ((1::bigint << 40) - 1)) as key
        from (select ${value} as value, s.currency, ${STEPS} ${rowsOf(summed ? 'hour' : by, days, input)} group by 1, 2) g
      ) t where t.created > 0`,
    key: sql`t.key`,
  });
  if (isRefusal(page)) return page;
  return {
    ...page,
    list: page.list.map(({ value: text, name: shown, ...row }) => ({
      ...shownFunnel(row),
      value: text,
      name: shown,
    })),
    ...periodOf(days),
  };
}

/** How far the orders of a period came, by currency. */
export async function sourceFunnel(
  platform: Platform,
  _viewer: Viewer,
  input: z.output<typeof getSourceFunnel.input>,
): Promise<z.input<typeof getSourceFunnel.output>> {
  const days = daysOf(input, platform.clock.now());
  const rows = await platform.db.query<Funnel>(sql`
    select s.currency, ${STEPS} ${rowsOf('hour', days, input)} group by 1 having sum(s.r0) > 0 order by created desc`);
  return { list: rows.map(shownFunnel), ...periodOf(days) };
}
