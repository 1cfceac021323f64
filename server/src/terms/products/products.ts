import type { Product } from '@sangam/contract/products.ts';
import { MINUTE } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';

/** A product as stored. */
interface StoredProduct extends Product {
  /** Where its payers are sent while IsNewPayUrl is off. */
  readonly payUrlTemplate: string | null;
}

const cache = new WeakMap<Platform, { at: number; products: Promise<ReadonlyMap<number, StoredProduct>> }>();

/** The products table, read at most once a minute: names and channels of products hardly ever change. */
export function productsById(platform: Platform): Promise<ReadonlyMap<number, StoredProduct>> {
  const known = cache.get(platform);
  if (known && Date.now() - known.at < MINUTE) return known.products;
  const products = platform.db
    .query<Omit<StoredProduct, 'floatStepMinor'> & { floatStepMinor: bigint }>(sql`
      select id, name, direction, currency, channel, float_steps as "floatSteps", float_step_minor as "floatStepMinor",
        pay_url_template as "payUrlTemplate"
      from products`)
    .then(
      (rows) => new Map(rows.map((row) => [row.id, { ...row, floatStepMinor: Number(row.floatStepMinor) }])),
    );
  products.catch(() => cache.delete(platform));
  cache.set(platform, { at: Date.now(), products });
  return products;
}

/** This node reads them anew; the others within a minute. */
export function forgetProducts(platform: Platform): void {
  cache.delete(platform);
}
