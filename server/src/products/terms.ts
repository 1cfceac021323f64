import type { Currency } from '@sangam/contract/money.ts';
import type { Channel, Direction } from '@sangam/contract/products.ts';
import { businessDay } from '@sangam/contract/time.ts';
import { type Queryable, hot, sql } from '../db/database.ts';
import { kycApproved } from '../kyc/approved.ts';
import type { Terms } from '../ledger/fees.ts';
import { type TermsDay, type TermsDayOf, termsDayOf } from './terms-day.ts';

/** A merchant's terms for a product. Amounts in minor units. */
export interface MerchantTerms extends Terms {
  readonly merchantId: bigint;
  readonly productId: number;
  readonly direction: Direction;
  readonly currency: Currency;
  readonly channel: Channel;
  readonly minAmount: bigint;
  readonly maxAmount: bigint;
  readonly kycApproved: boolean;
  readonly termsDay: TermsDay;
}

/**
 * Terms of these (merchant, product) pairs; pairs not enabled are absent. So are those of a frozen merchant: neither it
 * nor who stole its secret is told more than that the product is not enabled.
 */
export async function merchantTerms(
  db: Queryable,
  merchantIds: readonly bigint[],
  productIds: readonly number[],
  now: Date,
): Promise<Map<string, MerchantTerms>> {
  const rows = await db.query<
    Omit<MerchantTerms, 'termsDay'> & {
      countLimit: number | null;
      amountLimit: bigint | null;
      dayOrders: number | null;
      dayAmount: bigint | null;
    }
  >(
    hot(
      'merchant terms',
      sql`
    select distinct u.owner_id as "merchantId", u.product_id as "productId", p.direction, p.currency, p.channel,
      u.rate_ppm as "ratePpm", u.fixed_fee as "fixedFee", u.min_amount as "minAmount", u.max_amount as "maxAmount",
      u.daily_count_limit as "countLimit", u.daily_amount_limit as "amountLimit", d.orders as "dayOrders", d.amount as "dayAmount",
      ${kycApproved('merchant', sql`u.owner_id`, now)} as "kycApproved"
    from unnest(${merchantIds}::bigint[], ${productIds}::int[]) as v (merchant_id, product_id)
    join merchants m on m.id = v.merchant_id and m.enabled and not m.frozen
    join user_products u on u.owner_kind = 'merchant' and u.owner_id = v.merchant_id and u.product_id = v.product_id and u.enabled
    join products p on p.id = u.product_id and p.enabled
    left join user_product_days d on d.owner_kind = 'merchant' and d.owner_id = u.owner_id and d.product_id = u.product_id
      and d.day = ${businessDay(now)}`,
    ),
  );
  return new Map(
    rows.map(({ countLimit, amountLimit, dayOrders, dayAmount, ...row }) => [
      termsKey(row.merchantId, row.productId),
      { ...row, termsDay: termsDayOf({ countLimit, amountLimit }, { orders: dayOrders, amount: dayAmount }) },
    ]),
  );
}

export function termsKey(ownerId: bigint, productId: number): string {
  return `${ownerId}/${productId}`;
}

/** The days these terms would count towards. */
export function merchantDays(terms: ReadonlyMap<string, MerchantTerms>, day: string): TermsDayOf[] {
  return [...terms.values()].map(({ merchantId, productId, termsDay }) => ({
    ownerKind: 'merchant',
    ownerId: merchantId,
    productId,
    day,
    termsDay,
  }));
}
