import type { simpleStatistics } from '@sangam/contract/endpoints/order.ts';
import type { Sum } from '@sangam/contract/statistics.ts';
import { businessDay, formatTime, parseTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { DAY } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { refuse, type Refusal } from '../platform/refusal.ts';
import { isStaff, scopeOf, type Viewer } from '../platform/viewer.ts';
import type { SummedGroup } from './groups.ts';
import { halfHourFrom, halfHourTo, isArchived, type Question, readFreshness, readSums } from './read.ts';

type Statistics = z.input<typeof simpleStatistics.output>;
type Figures = Statistics['list'][number]['today'];

/**
 * Collections of today and yesterday by hour that the viewer may see, filed by OrderStatisticsTimeFormat. Suppliers see no merchant fees.
 * 'Paid' and the amounts are those of the table of measures: an order that was paid and later reversed counts as paid.
 */
export async function todayAgainstYesterday(
  platform: Platform,
  viewer: Viewer,
  days: { readonly todayDate: string; readonly tomorrowDate: string; readonly yesterdayDate: string },
): Promise<Statistics | Refusal> {
  const settings = await platform.settings.all();
  const filing = settings.OrderStatisticsTimeFormat;
  if (!settings.ShowUserStatisticInfo && !isStaff(viewer)) return { list: [], hidden: true, filing };
  const [yesterday, today, tomorrow] = [days.yesterdayDate, days.todayDate, days.tomorrowDate].map(
    (day) => parseTime(day) ?? platform.clock.now(),
  ) as [Date, Date, Date];
  const [from, to] = [halfHourFrom(yesterday), halfHourTo(tomorrow)];
  if (to <= from || to.getTime() - from.getTime() > 4 * DAY) return { list: [], hidden: false, filing };
  const now = platform.clock.now();
  const freshness = await readFreshness(platform.db, now);
  const question: Question = {
    direction: 'in',
    filing,
    from,
    to,
    by: ['day', 'halfHour'],
    scope: {
      condition: scopeOf(viewer, { merchant: sql`s.merchant_id`, supplier: sql`s.supplier_id` }),
      on: isStaff(viewer) ? 'nothing' : viewer.role === 'merchant' ? 'merchant' : 'supplier',
    },
  };
  if (isArchived(question, question, freshness)) return refuse('ordersArchived');
  const rows = await readSums(platform.db, question, freshness);
  const currencies = [...new Set(rows.map((row) => row.currency))].sort();
  const todayFrom = businessDay(today);
  const whole = wholeHalfHours(now);
  const isSoFar = ({ halfHour }: SummedGroup) => halfHour! < whole;
  return {
    list: currencies.map((currency) => {
      const ofDay = (isYesterday: boolean) =>
        rows.filter((row) => row.currency === currency && row.day! < todayFrom === isYesterday);
      const withFee = viewer.role !== 'supplier';
      return {
        currency,
        today: figures(ofDay(false), withFee),
        yesterday: figures(ofDay(true), withFee),
        soFar:
          whole === 0 || todayFrom !== businessDay(now)
            ? null
            : {
                until: clockOf(whole),
                today: figures(ofDay(false).filter(isSoFar), withFee),
                yesterday: figures(ofDay(true).filter(isSoFar), withFee),
              },
      };
    }),
    hidden: false,
    filing,
  };
}

/**
 * The number of half hours of the business day that have ended. Sums are kept by half hours, so both days are cut there and nothing is
 * recounted.
 */
function wholeHalfHours(now: Date): number {
  const [hour, minute] = formatTime(now).slice(11, 16).split(':').map(Number) as [number, number];
  return hour * 2 + (minute >= 30 ? 1 : 0);
}

const clockOf = (halfHours: number) =>
  `${String(Math.floor(halfHours / 2)).padStart(2, '0')}:${halfHours % 2 === 0 ? '00' : '30'}`;

const HOURS = 24;

function figures(rows: readonly SummedGroup[], withFee: boolean): Figures {
  const total = (of: readonly SummedGroup[], name: Sum) => of.reduce((sum, { sums }) => sum + sums[name], 0);
  return {
    hours: Array.from({ length: HOURS }, (_, hour) => {
      const ofHour = rows.filter(({ halfHour }) => Math.floor(halfHour! / 2) === hour);
      return {
        hour,
        created: total(ofHour, 'created'),
        paid: total(ofHour, 'paid'),
        paidAmount: total(ofHour, 'paidAmount'),
      };
    }),
    created: total(rows, 'created'),
    paid: total(rows, 'paid'),
    amount: total(rows, 'createdAmount'),
    paidAmount: total(rows, 'paidAmount'),
    ...(withFee ? { fee: total(rows, 'fee') } : {}),
  };
}
