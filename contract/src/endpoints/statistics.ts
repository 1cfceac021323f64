import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { currency, filter, id, idFilter, intFilter, textFilter, time, timeFilter } from '../fields.ts';
import { FILINGS, GROUPINGS, MEASURE_NAMES, type MeasureName } from '../statistics.ts';
import { READERS } from './story.ts';

/** Counts, amounts in minor units, rates as fractions of one, times in seconds; only measures that the role sees. Null: not defined. */
const measures = z
  .object(
    Object.fromEntries(MEASURE_NAMES.map((name) => [name, z.number().nullable()])) as Record<
      MeasureName,
      z.ZodNullable<z.ZodNumber>
    >,
  )
  .partial();

/** The group of orders that a row counts; a part that the table is not grouped by is null. */
const group = {
  currency,
  day: z.string().nullable(),
  /** 1 Monday to 7 Sunday. */
  weekday: z.int().nullable(),
  /** 0 to 47, in Asia/Kolkata. */
  halfHour: z.int().nullable(),
  merchantId: id.nullable(),
  /** '0': orders without a supplier. */
  supplierId: id.nullable(),
  productId: z.int().nullable(),
  /** Empty: orders without an account. */
  bank: z.string().nullable(),
  mark: z.int().nullable(),
  /** The name of the merchant, supplier or product. */
  name: z.string().nullable(),
};

const row = z.object({
  ...group,
  measures,
  /** The same in the period before, and whole weeks earlier (`lastWeekDays`); null where there were no orders. */
  before: measures.nullable(),
  lastWeek: measures.nullable(),
});

const orderType = filter(z.coerce.number().pipe(z.literal([0, 1])));

/** Filters of every query. orderType 0 (default) collection, 1 payout. */
const question = {
  orderType,
  /** The period is widened to whole half hours. Without a start: today. */
  startTime: timeFilter,
  endTime: timeFilter,
  merchantId: idFilter,
  supplierId: idFilter,
  productId: intFilter,
  bank: textFilter,
  /** Without it, orders marked 'test' are left out. */
  orderMark: intFilter,
  currency: filter(currency),
  /** For a supplier: own orders, its team's, or both; without it, setting SupplierUnifyQueryGroup decides. */
  scope: filter(z.enum(['own', 'team', 'group'])),
  /** Without it, setting OrderStatisticsTimeFormat decides. */
  filing: filter(z.enum(FILINGS)),
};

const answered = {
  /** Every change committed before this time is counted. */
  asOf: time,
  filing: z.enum(FILINGS),
  /** The period of the answer: whole half hours, the end not included. */
  startTime: time,
  endTime: time,
};

export const getTable = endpoint({
  method: 'GET',
  path: '/v1.0/statistics/getTable',
  summary:
    'Statistics of the orders the viewer may see, a row for each group and currency, with totals; compared with the period before and whole weeks back',
  access: READERS,
  input: z.object({
    ...question,
    groupBy: filter(z.enum(GROUPINGS)),
    /** The most groups for each currency, those with the most created orders; left out: all groups. */
    rows: intFilter,
  }),
  output: z.object({
    ...answered,
    scope: z.enum(['own', 'team', 'group']),
    /** How many days earlier `lastWeek` lies: 7 for days and half hours, else the period's length in whole weeks. */
    lastWeekDays: z.int(),
    list: z.array(row),
    /** One total for each currency, over all groups. */
    totals: z.array(
      row.extend({ /** How many groups it has, with those that `rows` leaves out. */ groups: z.int() }),
    ),
  }),
});

export const getDurations = endpoint({
  method: 'GET',
  path: '/v1.0/statistics/getDurations',
  summary: 'How long payment took: orders in each bucket, from `from` to `to` seconds',
  access: READERS,
  input: z.object(question),
  output: z.object({
    ...answered,
    list: z.array(
      z.object({
        currency,
        buckets: z.array(z.object({ bucket: z.int(), from: z.number(), to: z.number(), orders: z.int() })),
      }),
    ),
  }),
});

export const statisticsV2 = endpoint({
  method: 'GET',
  path: '/v1.0/order/statisticsV2',
  summary:
    "Statistics by day, or by merchant with groupByMerchant, as the family's client asks for them; orderType 0 (default) collection, 1 payout",
  access: READERS,
  input: z.object({
    /** User ids of a merchant and of a supplier. */
    merchantUserId: idFilter,
    supplierUserId: idFilter,
    productId: intFilter,
    startTime: timeFilter,
    endTime: timeFilter,
    orderType,
    orderMark: intFilter,
    groupByMerchant: filter(
      z.union([
        z.boolean(),
        z.enum(['true', 'false', '0', '1']).transform((value) => value === 'true' || value === '1'),
      ]),
    ),
  }),
  output: getTable.output,
});
