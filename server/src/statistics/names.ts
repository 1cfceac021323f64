import type { Grouping } from '@sangam/contract/statistics.ts';
import { type Queryable, raw, sql } from '../platform/db/database.ts';
import type { Group } from './groups.ts';

/** For each grouping: the table with the names, and the id to look up. */
const NAMED: Readonly<
  Partial<Record<Grouping, readonly [string, (group: Group) => bigint | number | null]>>
> = {
  merchant: ['merchants', ({ merchantId }) => merchantId],
  supplier: ['suppliers', ({ supplierId }) => supplierId],
  product: ['products', ({ productId }) => productId],
};

/** The names of the merchants, suppliers or products in groups. */
export async function namesOf<Any extends Group>(
  db: Queryable,
  grouping: Grouping,
  groups: readonly Any[],
): Promise<ReadonlyMap<Any, string>> {
  const named = NAMED[grouping];
  if (!named || groups.length === 0) return new Map();
  const [table, idOf] = named;
  const ids = [...new Set(groups.map((group) => BigInt(idOf(group) ?? 0)))];
  const rows = await db.query<{ id: bigint; name: string }>(sql`
    select id::bigint as id, name from ${raw(table)} where id = any(${ids})`);
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return new Map(
    groups.flatMap((group) => {
      const name = names.get(BigInt(idOf(group) ?? 0));
      return name === undefined ? [] : [[group, name] as const];
    }),
  );
}
