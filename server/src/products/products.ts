import type { Product } from '@sangam/contract/products.ts';
import { MINUTE } from '../clock.ts';
import { sql } from '../db/database.ts';
import type { Platform } from '../platform.ts';

const cache = new WeakMap<Platform, { at: number; products: Promise<ReadonlyMap<number, Product>> }>();

/** The products table, read at most once a minute: names and channels of products hardly ever change. */
export function productsById(platform: Platform): Promise<ReadonlyMap<number, Product>> {
  const known = cache.get(platform);
  if (known && Date.now() - known.at < MINUTE) return known.products;
  const products = platform.db
    .query<Omit<Product, 'floatStepMinor'> & { floatStepMinor: bigint }>(sql`
      select id, name, direction, currency, channel, float_steps as "floatSteps", float_step_minor as "floatStepMinor"
      from products`)
    .then(
      (rows) => new Map(rows.map((row) => [row.id, { ...row, floatStepMinor: Number(row.floatStepMinor) }])),
    );
  products.catch(() => cache.delete(platform));
  cache.set(platform, { at: Date.now(), products });
  return products;
}
