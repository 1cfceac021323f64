import { z } from 'zod';
import type * as contract from '@sangam/contract/endpoints/product.ts';
import type { Product } from '@sangam/contract/products.ts';
import { approvalHandler } from '../../approvals/approval.ts';
import { approvalNeeded, startApproval, type Started } from '../../approvals/start.ts';
import { audit } from '../../platform/audit/record.ts';
import { type Tx, sql } from '../../platform/db/database.ts';
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

/**
 * Changes the given fields. Existing orders keep their amounts and addresses. A new address that payers are sent to waits for a
 * second person (1205): somebody alone could send payers to a page of their own.
 */
export async function updateProduct(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof contract.updateProduct.input>,
): Promise<Record<string, never> | Refusal> {
  const done = await platform.db.tx(async (tx): Promise<Started | Refusal | null> => {
    const { id, payUrlTemplate: template, ...given } = input;
    const before = await lockProduct(tx, id);
    if (!before) return refuse('notFound');
    const { direction, ...standing } = before;
    const wanted = template === undefined ? standing.payUrlTemplate : template || null;
    const isAsked = wanted !== null && wanted !== standing.payUrlTemplate;
    const after: Changed = {
      ...standing,
      ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
      payUrlTemplate: isAsked ? standing.payUrlTemplate : wanted,
    };
    // Payouts have no payer to send anywhere, and the merchant states the exact amount.
    if (direction === 'out' && (wanted !== null || after.floatSteps > 0))
      return wrongInput('floatSteps', 'payUrlTemplate');
    await write(platform, tx, viewer, { id, before: standing, after });
    if (!isAsked) return null;
    return startApproval(platform, tx, viewer, {
      kind: 'payAddress',
      subjectKind: 'setting',
      subjectId: BigInt(id),
      payload: { name: `${id} ${after.name}`, before: standing.payUrlTemplate, value: wanted },
      reason: null,
      sole: true,
    });
  });
  if (isRefusal(done)) return done;
  forgetProducts(platform);
  return done ? approvalNeeded(done) : {};
}

/** Puts the requested address of the product in force, unless it was changed since the request. */
export const payAddressApproval = approvalHandler({
  kind: 'payAddress',
  payload: z.object({ name: z.string(), before: z.string().nullable(), value: z.string() }),
  summary: () => ({ amount: null, currency: null }),
  after: (platform) => Promise.resolve(forgetProducts(platform)),
  async execute(platform, tx, { subjectId, payload }, decider) {
    const id = Number(subjectId);
    const product = await lockProduct(tx, id);
    if (!product || product.payUrlTemplate !== payload.before) return refuse('conflict');
    const { direction: _direction, ...before } = product;
    await write(platform, tx, decider, { id, before, after: { ...before, payUrlTemplate: payload.value } });
    return {};
  },
});

async function lockProduct(tx: Tx, id: number): Promise<(Changed & Pick<Product, 'direction'>) | undefined> {
  const [product] = await tx.query<Changed & Pick<Product, 'direction'>>(
    sql`select ${CHANGED}, p.direction from products p where p.id = ${id}::bigint for update of p`,
  );
  return product;
}

async function write(
  platform: Platform,
  tx: Tx,
  { userId, ip }: Viewer,
  { id, before, after }: { readonly id: number; readonly before: Changed; readonly after: Changed },
): Promise<void> {
  await tx.query(sql`
    update products set name = ${after.name}, enabled = ${after.enabled}, float_steps = ${after.floatSteps},
      pay_url_template = ${after.payUrlTemplate}
    where id = ${id}`);
  await audit(platform, tx, {
    userId,
    action: 'product.update',
    subject: `product:${id}`,
    before,
    after,
    ip,
  });
}
