import type { z } from 'zod';
import type * as contract from '@sangam/contract/endpoints/product.ts';
import type { Product } from '@sangam/contract/products.ts';
import { audit } from '../../platform/audit/record.ts';
import { sql } from '../../platform/db/database.ts';
import { readPage } from '../../platform/db/page.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, type Refusal, refuse, wrongInput } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { forgetProducts } from './products.ts';

type Changed = Pick<Product, 'name' | 'floatSteps'> & {
  readonly enabled: boolean;
  readonly payUrlTemplate: string | null;
};

const CHANGED = sql`p.name, p.enabled, p.float_steps as "floatSteps", p.pay_url_template as "payUrlTemplate"`;

export async function listProducts(
  platform: Platform,
  _viewer: Viewer,
  input: z.output<typeof contract.getProductList.input>,
): Promise<z.input<typeof contract.getProductList.output> | Refusal> {
  const page = await readPage<Changed & Pick<Product, 'id' | 'direction' | 'currency' | 'channel'>>(
    platform,
    input,
    {
      columns: sql`p.id, p.direction, p.currency, p.channel, ${CHANGED}`,
      from: sql`from products p where true`,
      key: sql`p.id::bigint`,
    },
  );
  return isRefusal(page) ? page : { ...page, list: [...page.list] };
}

/** Changes the fields that are given. Existing orders keep their amounts and addresses. */
export async function updateProduct(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof contract.updateProduct.input>,
): Promise<Record<string, never> | Refusal> {
  const done = await platform.db.tx(async (tx) => {
    const [before] = await tx.query<Changed & Pick<Product, 'direction' | 'channel'>>(sql`
      select ${CHANGED}, p.direction, p.channel from products p where p.id = ${input.id}::bigint for update of p`);
    if (!before) return refuse('notFound');
    const { direction, channel: _channel, ...standing } = before;
    const { id, payUrlTemplate: template, ...given } = input;
    const after: Changed = {
      ...standing,
      ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
      ...(template === undefined ? {} : { payUrlTemplate: template || null }),
    };
    // Nobody is sent anywhere to be paid, and the merchant states a payout's amount.
    if (direction === 'out' && (after.payUrlTemplate !== null || after.floatSteps > 0))
      return wrongInput('floatSteps', 'payUrlTemplate');
    await tx.query(sql`
      update products set name = ${after.name}, enabled = ${after.enabled}, float_steps = ${after.floatSteps},
        pay_url_template = ${after.payUrlTemplate}
      where id = ${id}`);
    await audit(platform, tx, {
      userId: viewer.userId,
      action: 'product.update',
      subject: `product:${id}`,
      before: standing,
      after,
      ip: viewer.ip,
    });
    return {};
  });
  if (!isRefusal(done)) forgetProducts(platform);
  return done;
}
