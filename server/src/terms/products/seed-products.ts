import { DEFAULT_PRODUCTS } from '@sangam/contract/products.ts';
import { type Queryable, sql } from '../../platform/db/database.ts';
import { columnNames, unnestRows } from '../../platform/db/unnest-rows.ts';

const PRODUCT = {
  id: 'int',
  name: 'text',
  direction: 'text',
  currency: 'text',
  channel: 'text',
  floatSteps: 'int',
  floatStepMinor: 'bigint',
} as const;

/** Products of a new installation; what superAdmin changed or disabled since stays as it is. */
export async function seedProducts(platform: { readonly db: Queryable }): Promise<void> {
  await platform.db.query(sql`
    insert into products (${columnNames(PRODUCT)})
    select * from ${unnestRows(PRODUCT, DEFAULT_PRODUCTS)}
    on conflict (id) do nothing`);
}
