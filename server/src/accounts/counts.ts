import { type Queryable, sql } from '../platform/db/database.ts';

export interface AccountCounts {
  readonly accounts: number;
  /** Open for at least one product. */
  readonly enabled: number;
}

const NONE: AccountCounts = { accounts: 0, enabled: 0 };

/** Receiving accounts per supplier. The caller has chosen the suppliers within the viewer's scope. */
export async function accountCounts(
  db: Queryable,
  supplierIds: readonly bigint[],
): Promise<(supplierId: bigint) => AccountCounts> {
  const rows = await db.query<AccountCounts & { supplierId: bigint }>(sql`
    select a.supplier_id as "supplierId", count(*)::int as accounts,
      (count(*) filter (where exists (select from resources r where r.account_id = a.id and r.state = 0)))::int as enabled
    from accounts a where a.supplier_id = any(${supplierIds}) and a.direction = 'in' group by 1`);
  const bySupplier = new Map(rows.map((row) => [row.supplierId, row]));
  return (supplierId) => bySupplier.get(supplierId) ?? NONE;
}
