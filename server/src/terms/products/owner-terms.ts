import { type Queryable, sql } from '../../platform/db/database.ts';

/** Terms of one owner for one product as the lists show them. */
export interface OwnerTerms {
  readonly productId: number;
  readonly productName: string;
  readonly enabled: boolean;
  readonly ratePpm: number;
  readonly fixedFee: number;
  readonly minAmount: number;
  readonly maxAmount: number;
}

interface Row extends Omit<OwnerTerms, 'fixedFee' | 'minAmount' | 'maxAmount'> {
  readonly ownerId: bigint;
  readonly fixedFee: bigint;
  readonly minAmount: bigint;
  readonly maxAmount: bigint;
}

/** Terms of these owners for all their products, disabled ones too. The caller has chosen the owners within the viewer's scope. */
export async function ownerTerms(
  db: Queryable,
  ownerKind: 'merchant' | 'supplier',
  ownerIds: readonly bigint[],
): Promise<(ownerId: bigint) => OwnerTerms[]> {
  const rows = await db.query<Row>(sql`
    select u.owner_id as "ownerId", u.product_id as "productId", p.name as "productName", u.enabled and p.enabled as enabled,
      u.rate_ppm as "ratePpm", u.fixed_fee as "fixedFee", u.min_amount as "minAmount", u.max_amount as "maxAmount"
    from user_products u join products p on p.id = u.product_id
    where u.owner_kind = ${ownerKind} and u.owner_id = any(${ownerIds}) order by u.product_id`);
  const byOwner = Map.groupBy(rows, (row) => row.ownerId);
  return (ownerId) =>
    (byOwner.get(ownerId) ?? []).map((row) => ({
      productId: row.productId,
      productName: row.productName,
      enabled: row.enabled,
      ratePpm: row.ratePpm,
      fixedFee: Number(row.fixedFee),
      minAmount: Number(row.minAmount),
      maxAmount: Number(row.maxAmount),
    }));
}
