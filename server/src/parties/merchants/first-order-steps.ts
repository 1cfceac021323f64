import { FIRST_ORDER_STEPS, type getFirstOrderSteps } from '@sangam/contract/endpoints/merchant.ts';
import { PAID_STATUSES } from '@sangam/contract/orders.ts';
import type { z } from 'zod';
import { DAY } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { refuse, type Refusal } from '../../platform/refusal.ts';
import { scopeOf, type Viewer } from '../../platform/viewer.ts';
import { kycApproved } from '../../terms/kyc/approved.ts';

/** After this time a merchant is not new. Older orders may be in the archive, which this does not read. */
const NEW_MS = 92 * DAY;

type Output = z.input<typeof getFirstOrderSteps.output>;
type Row = Readonly<Record<(typeof FIRST_ORDER_STEPS)[number], boolean>>;

/** What a new merchant has done and still needs, until one of its orders is paid. */
export async function firstOrderSteps(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof getFirstOrderSteps.input>,
): Promise<Output | Refusal> {
  const now = platform.clock.now();
  const [row] = await platform.db.query<Row & { isNew: boolean }>(sql`
    select m.created_at > ${new Date(now.getTime() - NEW_MS)} as "isNew",
      ${kycApproved('merchant', sql`m.id`, now)} as kyc,
      exists (
        select from user_products t join products p on p.id = t.product_id
        where t.owner_kind = 'merchant' and t.owner_id = m.id and t.enabled and p.enabled and p.direction = 'in') as products,
      u.google_bound_at is not null as "signIn",
      m.secret_shown_at is not null as secret,
      exists (select from collection_orders o where o.merchant_id = m.id) as "order",
      exists (select from collection_orders o where o.merchant_id = m.id and o.status = any(${PAID_STATUSES})) as paid
    from merchants m join users u on u.id = m.user_id
    where m.id = ${BigInt(input.id)} ${scopeOf(viewer, { merchant: sql`m.id` })}`);
  if (!row) return refuse('notFound');
  if (row.paid || !row.isNew) return { steps: null };
  return { steps: FIRST_ORDER_STEPS.map((step) => ({ step, done: row[step] })) };
}
