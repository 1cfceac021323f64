import type { Currency } from '@sangam/contract/money.ts';
import type { Channel, Direction } from '@sangam/contract/products.ts';
import { type Queryable, sql } from '../db/database.ts';
import { kycApproved } from '../kyc/approved.ts';
import type { Terms } from '../ledger/fees.ts';

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
}

/** Terms of these (merchant, product) pairs, by position; pairs not enabled are absent. */
export async function merchantTerms(
  db: Queryable,
  merchantIds: readonly bigint[],
  productIds: readonly number[],
  now: Date,
): Promise<Map<string, MerchantTerms>> {
  const rows = await db.query<MerchantTerms>(sql`
    select distinct u.owner_id as "merchantId", u.product_id as "productId", p.direction, p.currency, p.channel,
      u.rate_ppm as "ratePpm", u.fixed_fee as "fixedFee", u.min_amount as "minAmount", u.max_amount as "maxAmount",
      ${kycApproved('merchant', sql`u.owner_id`, now)} as "kycApproved"
    from unnest(${merchantIds}::bigint[], ${productIds}::int[]) as v (merchant_id, product_id)
    join merchants m on m.id = v.merchant_id and m.enabled
    join user_products u on u.owner_kind = 'merchant' and u.owner_id = v.merchant_id and u.product_id = v.product_id and u.enabled
    join products p on p.id = u.product_id and p.enabled`);
  return new Map(rows.map((row) => [termsKey(row.merchantId, row.productId), row]));
}

export function termsKey(ownerId: bigint, productId: number): string {
  return `${ownerId}/${productId}`;
}

/** What a supplier and its agent earn on a product. */
export interface SupplierTerms {
  readonly supplierId: bigint;
  readonly productId: number;
  readonly agentId: bigint | null;
  readonly supplier: Terms | null;
  readonly agent: Terms | null;
}

export async function supplierTerms(
  db: Queryable,
  supplierIds: readonly bigint[],
  productIds: readonly number[],
): Promise<Map<string, SupplierTerms>> {
  const rows = await db.query<{
    supplierId: bigint;
    productId: number;
    agentId: bigint | null;
    rate: number | null;
    fixed: bigint | null;
    agentRate: number | null;
    agentFixed: bigint | null;
  }>(sql`
    select distinct s.id as "supplierId", v.product_id as "productId", s.agent_id as "agentId", u.rate_ppm as rate,
      u.fixed_fee as fixed, g.rate_ppm as "agentRate", g.fixed_fee as "agentFixed"
    from unnest(${supplierIds}::bigint[], ${productIds}::int[]) as v (supplier_id, product_id)
    join suppliers s on s.id = v.supplier_id
    left join user_products u on u.owner_kind = 'supplier' and u.owner_id = s.id and u.product_id = v.product_id
    left join user_products g on g.owner_kind = 'agent' and g.owner_id = s.agent_id and g.product_id = v.product_id and g.enabled`);
  return new Map(
    rows.map((row) => [
      termsKey(row.supplierId, row.productId),
      {
        supplierId: row.supplierId,
        productId: row.productId,
        agentId: row.agentId,
        supplier: row.rate === null ? null : { ratePpm: row.rate, fixedFee: row.fixed ?? 0n },
        agent: row.agentRate === null ? null : { ratePpm: row.agentRate, fixedFee: row.agentFixed ?? 0n },
      },
    ]),
  );
}
