import { z } from 'zod';
import { approvalHandler } from '../../approvals/approval.ts';
import { approvalNeeded, startApproval } from '../../approvals/start.ts';
import { correctOffset, lockOpenOffset } from '../../collection/offset.ts';
import type { CollectionOrder } from '../../collection/order.ts';
import { actorOf } from '../../history/events.ts';
import { orderOfReference } from '../../order-numbers/claim.ts';
import { type Tx, sql } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { joinMessage, lockCredit, type OpenCredit } from '../matching/join.ts';
import { spentCredits, spentSince } from '../matching/spent.ts';
import { holdChain } from '../trusted-chain/fill-gap.ts';

interface Arrived {
  readonly order: CollectionOrder;
  readonly credit: OpenCredit;
}

/**
 * Asks to correct an offset: the order was booked against suspense, but the bank's message shows its money on the order's own account. A
 * second person agrees (1205), and the supplier is charged. 404 if there is no such credit with a UTR. 409 if the order of the UTR is no
 * open offset, or has another account or sum.
 */
export async function askOffsetCorrection(
  platform: Platform,
  viewer: Viewer,
  { messageId, reason }: { readonly messageId: bigint; readonly reason: string },
): Promise<Refusal> {
  const outcome = await platform.db.tx(async (tx) => {
    const arrived = await lockArrived(platform, tx, messageId);
    if (isRefusal(arrived)) return arrived;
    const { order } = arrived;
    return startApproval(platform, tx, viewer, {
      kind: 'offsetCorrection',
      subjectKind: 'order',
      subjectId: order.id,
      payload: {
        messageId: String(messageId),
        amount: Number(order.received),
        currency: order.currency,
        spent: await spentCredits(platform, tx, [{ messageId }]),
      },
      reason,
      sole: true,
    });
  });
  return isRefusal(outcome) ? outcome : approvalNeeded(outcome);
}

/** Charges the supplier and joins the message to the order. */
export const offsetCorrectionApproval = approvalHandler({
  kind: 'offsetCorrection',
  payload: z.object({
    messageId: z.string().transform(BigInt),
    amount: z.int(),
    currency: z.enum(['INR', 'KES', 'USDT']),
    spent: z.array(z.string()),
  }),
  summary: ({ amount, currency }) => ({ amount, currency }),
  async execute(platform, tx, { id, subjectId, startedBy, payload }, decider) {
    const arrived = await lockArrived(platform, tx, payload.messageId);
    if (isRefusal(arrived)) return arrived;
    const { order, credit } = arrived;
    if (order.id !== subjectId || order.received !== BigInt(payload.amount)) return refuse('conflict');
    const spent = await spentCredits(platform, tx, [{ messageId: credit.id }]);
    const outdated = spentSince(payload.spent, spent);
    if (outdated) return outdated;
    await correctOffset(platform, tx, order, {
      actor: actorOf(decider),
      data: { approvalId: String(id), startedBy: String(startedBy), messageId: String(credit.id) },
    });
    await joinMessage(platform, tx, credit.id, order.id, 'supplement');
    return { orderStatusId: order.status };
  },
});

/**
 * Holds the account's chain, so that a report of another wording waits. Then locks the order that used the UTR, as in every action on an
 * order, and then the credit.
 */
async function lockArrived(platform: Platform, tx: Tx, messageId: bigint): Promise<Arrived | Refusal> {
  const [message] = await tx.query<{ utr: string; accountId: bigint; currency: string }>(sql`
    select utr, account_id as "accountId", currency from messages
    where id = ${messageId} and direction = 'credit' and utr is not null and account_id is not null and currency is not null`);
  if (!message) return refuse('notFound');
  await holdChain(platform, tx, message.accountId);
  const { utr, currency } = message;
  const orderId = await orderOfReference(tx, { reference: utr, currency });
  const order = orderId === undefined ? undefined : await lockOpenOffset(tx, orderId);
  const credit = await lockCredit(tx, message.accountId, messageId);
  const fits =
    order &&
    order.accountId === message.accountId &&
    order.received === credit?.amount &&
    order.currency === credit.currency;
  return fits ? { order, credit } : refuse('conflict');
}
