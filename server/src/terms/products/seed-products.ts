import { DEFAULT_PRODUCTS } from '@sangam/contract/products.ts';
import { type Queryable, sql } from '../../platform/db/database.ts';

/** Products of a new installation; what superAdmin changed or disabled since stays as it is. */
export async function seedProducts(platform: { readonly db: Queryable }): Promise<void> {
  await platform.db.query(sql`
    insert into products (id, name, direction, currency, channel, float_steps, float_step_minor)
    select * from unnest(
      ${DEFAULT_PRODUCTS.map((product) => product.id)}::int[], ${DEFAULT_PRODUCTS.map((product) => product.name)}::text[],
      ${DEFAULT_PRODUCTS.map((product) => product.direction)}::text[],
      ${DEFAULT_PRODUCTS.map((product) => product.currency)}::text[],
      ${DEFAULT_PRODUCTS.map((product) => product.channel)}::text[],
      ${DEFAULT_PRODUCTS.map((product) => product.floatSteps)}::int[],
      ${DEFAULT_PRODUCTS.map((product) => product.floatStepMinor)}::bigint[])
    on conflict (id) do nothing`);
}
