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
 * An operator has seen proof that no message gives: what was said counts from now on. 1204 when its UTR is another's by now; 1205 where
 * a second person has to agree.
 */
export function acceptProof(
  platform: Platform,
  viewer: Viewer,
  { reason, ...subject }: ChosenOrder & { readonly reason: string },
): Promise<PayoutOrder | Refusal> {
  return decideOrAsk(platform, viewer, subject, { action: 'acceptProof', reason }, ACCEPT_PROOF);
}

/** Who says that a payout was paid: who confirmed it, or asked for that where another one agreed, and who brought the bank's file. */
export async function proofAuthors(tx: Tx, orderId: bigint): Promise<readonly bigint[]> {
  const rows = await tx.query<{ userId: bigint }>(sql`
    select coalesce((data->>'startedBy')::bigint, actor_id) as "userId" from order_events
    where order_id = ${orderId} and id > ${lowestIdAfter(orderId)} and kind = 'completed' and actor_kind = 'user'
    union
    select proposed_by from payout_batch_orders where order_id = ${orderId} and proposed = 'completed' and proposed_by is not null`);
  return rows.map(({ userId }) => userId);
}

export const ACCEPT_PROOF: WordRule<{ readonly action: 'acceptProof'; readonly reason: string }> = {
  // It is only asked for where no message bears it out.
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
