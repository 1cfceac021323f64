import type { simpleStatistics } from '@sangam/contract/endpoints/order.ts';
import type { Currency } from '@sangam/contract/money.ts';
import { parseTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { HOUR } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { firstIdAt } from '../platform/db/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { isStaff, type Viewer } from '../platform/viewer.ts';
import { orderScope } from './actions.ts';

type Statistics = z.input<typeof simpleStatistics.output>;
type Figures = Statistics['list'][number]['today'];

interface HourRow {
  readonly currency: Currency;
  readonly yesterday: boolean;
  readonly hour: number;
  readonly created: number;
  readonly paid: number;
  readonly amount: bigint;
  readonly paidAmount: bigint;
  readonly fee: bigint;
}

/**
 * Orders created today and yesterday by hour, of those the viewer may see; suppliers see no merchant fees. Money taken
 * back is not paid.
 */
export async function todayAgainstYesterday(
  platform: Platform,
  viewer: Viewer,
  days: { readonly todayDate: string; readonly tomorrowDate: string; readonly yesterdayDate: string },
): Promise<Statistics> {
  const { ShowUserStatisticInfo } = await platform.settings.all();
  if (!ShowUserStatisticInfo && !isStaff(viewer)) return { list: [], hidden: true };
  const [yesterday, today, tomorrow] = [days.yesterdayDate, days.todayDate, days.tomorrowDate].map(
    (day) => parseTime(day) ?? platform.clock.now(),
  ) as [Date, Date, Date];
  const rows = await platform.db.query<HourRow>(sql`
    select o.currency, o.created_at < ${today} as yesterday,
      floor(extract(epoch from o.created_at - case when o.created_at < ${today} then ${yesterday}::timestamptz else ${today}::timestamptz end) * 1000 / ${HOUR})::int as hour,
      count(*)::int as created, count(o.received) filter (where o.reversed_at is null)::int as paid, sum(o.amount)::bigint as amount,
      coalesce(sum(o.received) filter (where o.reversed_at is null), 0)::bigint as "paidAmount",
      coalesce(sum(o.fee) filter (where o.reversed_at is null), 0)::bigint as fee
    from collection_orders o
    where o.id >= ${firstIdAt(yesterday)} and o.id < ${firstIdAt(tomorrow)} ${orderScope(viewer)}
    group by 1, 2, 3`);
  const currencies = [...new Set(rows.map((row) => row.currency))].sort();
  return {
    list: currencies.map((currency) => {
      const of = (isYesterday: boolean) =>
        figures(
          rows.filter((row) => row.currency === currency && row.yesterday === isYesterday),
          viewer.role !== 'supplier',
        );
      return { currency, today: of(false), yesterday: of(true) };
    }),
    hidden: false,
  };
}

function figures(rows: readonly HourRow[], withFee: boolean): Figures {
  const sum = (pick: (row: HourRow) => bigint) => Number(rows.reduce((total, row) => total + pick(row), 0n));
  const count = (pick: (row: HourRow) => number) => rows.reduce((total, row) => total + pick(row), 0);
  return {
    hours: Array.from({ length: 24 }, (_, hour) => {
      const row = rows.find((candidate) => candidate.hour === hour);
      return {
        hour,
        created: row?.created ?? 0,
        paid: row?.paid ?? 0,
        paidAmount: Number(row?.paidAmount ?? 0n),
      };
    }),
    created: count((row) => row.created),
    paid: count((row) => row.paid),
    amount: sum((row) => row.amount),
    paidAmount: sum((row) => row.paidAmount),
    ...(withFee ? { fee: sum((row) => row.fee) } : {}),
  };
}
