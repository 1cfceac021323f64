import { completeOrders } from '../../collection/complete.ts';
import { type Tx, sql } from '../../platform/db/database.ts';
import { type Actor, SYSTEM, writeEvents } from '../../history/events.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal } from '../../platform/refusal.ts';
import type { Evidence } from './credit.ts';
import { joinMessage } from './join.ts';
import { leaveListed } from './listed.ts';
import { settleRefused } from './refused.ts';
import { lowestIdAfter } from '../../platform/db/ids.ts';

/** A stored credit that would have completed an order if the order were not frozen. */
export interface HeldEvidence {
  readonly orderId: bigint;
  readonly messageId: bigint;
  readonly evidence: Evidence;
}

/** Writes into the history of frozen orders which credits are held for them. */
export function noteHeld(platform: Platform, tx: Tx, held: readonly HeldEvidence[]): Promise<void> {
  return writeEvents(
    platform,
    tx,
    held.map(({ orderId, messageId, evidence }) => ({
      orderId,
      kind: 'evidenceHeld',
      from: null,
      to: null,
      actor: SYSTEM,
      data: { messageId: String(messageId), evidence },
    })),
  );
}

/**
 * Completes an order that was just unfrozen with the first credit that was held for it, in the caller's transaction and under the order's
 * lock. Credits that do not complete it are settled by `settleRefused`.
 */
export async function completeHeld(platform: Platform, tx: Tx, orderId: bigint, actor: Actor): Promise<void> {
  const credits = await tx.query<{
    id: bigint;
    accountId: bigint;
    amount: bigint;
    currency: string;
    utr: string | null;
    payer: string | null;
    text: string;
    evidence: Evidence;
  }>(sql`
    select m.id, m.account_id as "accountId", m.amount, m.currency, m.utr, m.payer, m.text, e.data->>'evidence' as evidence
    from order_events e join messages m on m.id = (e.data->>'messageId')::bigint
    where e.order_id = ${orderId} and e.id > ${lowestIdAfter(orderId)} and e.kind = 'evidenceHeld' and m.state = 'held'
    order by m.id for update of m`);
  let isOpen = true;
  for (const { id, accountId, amount, currency, utr, payer, text, evidence } of credits) {
    if (isOpen && (await leaveListed(platform, tx, { messageId: id, payer, text }))) continue;
    const completion = {
      orderId,
      received: amount,
      utr,
      by: 'message',
      offset: false,
      accountId,
      actor,
    } as const;
    const settled =
      isOpen &&
      (
        await completeOrders(platform, tx, [{ ...completion, data: { messageId: String(id), evidence } }])
      )[0]!;
    if (settled && !isRefusal(settled)) {
      await joinMessage(platform, tx, id, orderId, evidence);
      isOpen = false;
    } else {
      const credit = { messageId: id, orderId, accountId, amount, currency, utr };
      await settleRefused(platform, tx, credit, settled || undefined);
    }
  }
}
