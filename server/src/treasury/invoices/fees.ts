import type { getFees } from '@sangam/contract/endpoints/invoice.ts';
import type { Currency } from '@sangam/contract/money.ts';
import { ORDER_MARK } from '@sangam/contract/orders.ts';
import { BUSINESS_TIME_ZONE } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { sql } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { scopeOf, type Viewer } from '../../platform/viewer.ts';
import { monthAfter } from './months.ts';

/** The `grain` of the statistics' rows that sum by merchant and product. */
const BY_MERCHANT_AND_PRODUCT = 5;

/**
 * What payments of a merchant and product have cost by day, for invoices and for the merchant's view of a month. They are read from the
 * statistics, whose sums stay when orders go to the archive. Test orders' fees, which were taken back at once, are in those sums, whatever
 * their marks are, and are subtracted here. Orders marked 'test' are in no count and no amount.
 */
export const FEES = sql`(
  select d.merchant_id, d.currency, d.day, d.direction, d.product_id, d.fee_by_completion as fee,
    case when d.mark <> ${ORDER_MARK.test} then coalesce(d.paid_by_completion, 0) - coalesce(d.reversed_by_completion, 0) end as paid,
    case when d.mark <> ${ORDER_MARK.test} then coalesce(d.paid_amount_by_completion, 0) - coalesce(d.reversed_amount_by_completion, 0) end as amount
  from statistics_days d where d.direction in ('in', 'out') and d.grain = ${BY_MERCHANT_AND_PRODUCT}
  union all
  select t.merchant_id, t.currency, (t.paid_at at time zone ${BUSINESS_TIME_ZONE})::date, 'in', t.product_id, -t.fee, null, null
  from test_order_fees t)`;

interface Row {
  readonly currency: Currency;
  readonly productId: number;
  readonly productName: string;
  readonly paid: bigint;
  readonly amount: bigint;
  readonly fee: bigint;
}

/** The fees of the viewer's payments of a month, by product, as an invoice of this month counts them. */
export async function readFees(
  { db }: Platform,
  viewer: Viewer,
  { month }: z.output<typeof getFees.input>,
): Promise<z.input<typeof getFees.output>> {
  const rows = await db.query<Row>(sql`
    select f.*, coalesce(p.name, '') as "productName" from (
      select f.currency, f.product_id as "productId", coalesce(sum_bigint(f.paid), 0) as paid, coalesce(sum_bigint(f.amount), 0) as amount,
        coalesce(sum_bigint(f.fee), 0) as fee
      from ${FEES} f
      where f.day >= ${month}::date and f.day < ${monthAfter(month)}::date ${scopeOf(viewer, { merchant: sql`f.merchant_id` })}
      group by 1, 2
    ) f left join products p on p.id = f."productId"
    where f.fee <> 0 or f.amount <> 0
    order by currency, "productId"`);
  return {
    list: rows.map((row) => ({
      ...row,
      paid: Number(row.paid),
      amount: Number(row.amount),
      fee: Number(row.fee),
    })),
  };
}
