import { type Tx, sql } from '../platform/db/database.ts';
import { lowestIdAfter } from '../platform/db/ids.ts';
import { actorOf, writeEvents } from '../history/events.ts';
import type { Platform } from '../platform/platform.ts';
import { refuse, type Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { ChosenOrder } from '../history/row-version.ts';
import { claimProven } from './claimed-references.ts';
import type { PayoutOrder } from './order.ts';
import { decideOrAsk, type WordRule } from './own-word.ts';

/**
 * The desk accepts a proof that it has seen outside the platform: the payout is no longer unproven. 1204 when another order has its UTR by
 * now; 1205 when a second person has to agree.
 */
export function acceptProof(
  platform: Platform,
  viewer: Viewer,
  { reason, ...subject }: ChosenOrder & { readonly reason: string },
): Promise<PayoutOrder | Refusal> {
  return decideOrAsk(platform, viewer, subject, { action: 'acceptProof', reason }, ACCEPT_PROOF);
}

/**
 * The users who said that a payout was paid: who confirmed it (or asked to, if a second person agreed), and who uploaded a result file of a
 * batch that holds it.
 */
export async function proofAuthors(tx: Tx, orderId: bigint): Promise<readonly bigint[]> {
  const rows = await tx.query<{ userId: bigint }>(sql`
    select coalesce((data->>'startedBy')::bigint, actor_id) as "userId" from order_events
    where order_id = ${orderId} and id > ${lowestIdAfter(orderId)} and kind = 'completed' and actor_kind = 'user'
    union
    select r.uploaded_by from payout_batch_orders i join payout_batch_results r on r.batch_id = i.batch_id where i.order_id = ${orderId}
    union
    -- Whoever uploads the same file once more is not kept among the uploaders.
    select proposed_by from payout_batch_orders where order_id = ${orderId} and proposed_by is not null`);
  return rows.map(({ userId }) => userId);
}

export const ACCEPT_PROOF: WordRule<{ readonly action: 'acceptProof'; readonly reason: string }> = {
  // A proof is accepted only where no debit message proves the payout.
  isBorneOut: () => Promise.resolve(false),
  async take(platform, tx, viewer, order, { reason }) {
    if (!(await claimProven(tx, order, platform.clock.now()))) return refuse('utrUsed');
    await tx.query(sql`update payout_orders set unproven = false where id = ${order.id}`);
    await writeEvents(platform, tx, [
      {
        orderId: order.id,
        kind: 'proofAccepted',
        from: order.status,
        to: order.status,
        actor: actorOf(viewer),
        reason,
      },
    ]);
    return { ...order, unproven: false };
  },
};
