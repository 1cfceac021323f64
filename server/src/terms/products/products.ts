import type { Product } from '@sangam/contract/products.ts';
import { MINUTE } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import { perPlatform } from '../../platform/node-state.ts';
import type { Platform } from '../../platform/platform.ts';

/** A product as stored. */
interface StoredProduct extends Product {
  /** Where payers are sent while IsNewPayUrl is off. */
  readonly payUrlTemplate: string | null;
}

interface Memory {
  readonly at: number;
  readonly products: Promise<ReadonlyMap<number, StoredProduct>>;
}

const memoryOf = perPlatform((): { last?: Memory | undefined } => ({}));

/** The products table, read at most once a minute: names and channels of products hardly ever change. */
export function productsById(platform: Platform): Promise<ReadonlyMap<number, StoredProduct>> {
  const memory = memoryOf(platform);
  if (memory.last && Date.now() - memory.last.at < MINUTE) return memory.last.products;
  const products = platform.db
    .query<Omit<StoredProduct, 'floatStepMinor'> & { floatStepMinor: bigint }>(sql`
      select id, name, direction, currency, channel, float_steps as "floatSteps", float_step_minor as "floatStepMinor",
        pay_url_template as "payUrlTemplate"
      from products`)
    .then(
      (rows) => new Map(rows.map((row) => [row.id, { ...row, floatStepMinor: Number(row.floatStepMinor) }])),
    );
  products.catch(() => forgetProducts(platform));
  memory.last = { at: Date.now(), products };
  return products;
}

/** Makes this node read the products again; other nodes do so within a minute. */
export function forgetProducts(platform: Platform): void {
  memoryOf(platform).last = undefined;
}
