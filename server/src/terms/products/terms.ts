import type { Currency } from '@sangam/contract/money.ts';
import type { Channel, Direction } from '@sangam/contract/products.ts';
import { businessDay } from '@sangam/contract/time.ts';
import { type Tx, hot, sql } from '../../platform/db/database.ts';
import { perPlatform } from '../../platform/node-state.ts';
import { kycApprovedUntilMs } from '../kyc/approved.ts';
import type { Terms } from '../../ledger/fees.ts';
import type { Platform } from '../../platform/platform.ts';
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

/** What people have set up of a merchant's terms (allocation_pool_version). */
type Agreed = Omit<MerchantTerms, 'termsDay' | 'kycApproved'> & {
  readonly countLimit: number | null;
  readonly amountLimit: bigint | null;
  /** Infinity where the record does not expire, −Infinity where it is not approved. */
  readonly kycUntilMs: number;
};
const memory = perPlatform(() => new Map<string, { readonly version: bigint; readonly agreed: Agreed }>());

/**
 * Terms of these (merchant, product) pairs, without pairs that are not enabled and without those of a frozen merchant: the
 * merchant, and whoever stole its secret, only learn that the product is not enabled. Remembered while the version of the
 * allocation pool stays the same. Not for a transaction that itself changes what people set up.
 */
export async function merchantTerms(
  platform: Platform,
  tx: Tx,
  merchantIds: readonly bigint[],
  productIds: readonly number[],
  now: Date,
): Promise<Map<string, MerchantTerms>> {
  const remembered = memory(platform);
  const { version, days } = await readDays(tx, merchantIds, productIds, businessDay(now));
  const known = (key: string) => {
    const found = remembered.get(key);
    return found?.version === version ? found.agreed : undefined;
  };
  const keys = [...new Set(merchantIds.map((id, index) => termsKey(id, productIds[index]!)))];
  if (keys.some((key) => !known(key))) {
    // Read after the version: at worst the data is newer than the version says, and is read again next time.
    for (const agreed of await readAgreed(tx, merchantIds, productIds))
      remembered.set(termsKey(agreed.merchantId, agreed.productId), { version, agreed });
  }
  return new Map(
    keys.flatMap((key): [string, MerchantTerms][] => {
      const agreed = known(key);
      if (!agreed) return [];
      const { countLimit, amountLimit, kycUntilMs, ...terms } = agreed;
      const termsDay = termsDayOf(
        { countLimit, amountLimit },
        days.get(key) ?? { orders: null, amount: null },
      );
      return [[key, { ...terms, kycApproved: kycUntilMs > now.getTime(), termsDay }]];
    }),
  );
}

/** The pool's version, and the counts of the day for those whose limits are counted. */
async function readDays(tx: Tx, merchantIds: readonly bigint[], productIds: readonly number[], day: string) {
  const rows = await tx.query<{
    version: bigint;
    merchantId: bigint | null;
    productId: number | null;
    orders: number | null;
    amount: bigint | null;
  }>(
    hot(
      'merchant days',
      sql`
    select m.version, d.owner_id as "merchantId", d.product_id as "productId", d.orders, d.amount
    from allocation_pool_version m left join (
      select distinct d.owner_id, d.product_id, d.orders, d.amount
      from unnest(${merchantIds}::bigint[], ${productIds}::int[]) as v (merchant_id, product_id)
      join user_product_days d on d.owner_kind = 'merchant' and d.owner_id = v.merchant_id and d.product_id = v.product_id
        and d.day = ${day}
    ) d on true`,
    ),
  );
  const days = new Map(
    rows.flatMap(({ merchantId, productId, orders, amount }) =>
      merchantId === null ? [] : [[termsKey(merchantId, productId!), { orders, amount }] as const],
    ),
  );
  return { version: rows[0]!.version, days };
}

function readAgreed(
  tx: Tx,
  merchantIds: readonly bigint[],
  productIds: readonly number[],
): Promise<Agreed[]> {
  return tx.query<Agreed>(
    hot(
      'merchant terms',
      sql`
    select distinct u.owner_id as "merchantId", u.product_id as "productId", p.direction, p.currency, p.channel,
      u.rate_ppm as "ratePpm", u.fixed_fee as "fixedFee", u.min_amount as "minAmount", u.max_amount as "maxAmount",
      u.daily_count_limit as "countLimit", u.daily_amount_limit as "amountLimit",
      ${kycApprovedUntilMs('merchant', sql`u.owner_id`)} as "kycUntilMs"
    from unnest(${merchantIds}::bigint[], ${productIds}::int[]) as v (merchant_id, product_id)
    join merchants m on m.id = v.merchant_id and m.enabled and not m.frozen
    join user_products u on u.owner_kind = 'merchant' and u.owner_id = v.merchant_id and u.product_id = v.product_id and u.enabled
    join products p on p.id = u.product_id and p.enabled`,
    ),
  );
}

export function termsKey(ownerId: bigint, productId: number): string {
  return `${ownerId}/${productId}`;
}

/** The days that these terms would count towards. */
export function merchantDays(terms: ReadonlyMap<string, MerchantTerms>, day: string): TermsDayOf[] {
  return [...terms.values()].map(({ merchantId, productId, termsDay }) => ({
    ownerKind: 'merchant',
    ownerId: merchantId,
    productId,
    day,
    termsDay,
  }));
}
