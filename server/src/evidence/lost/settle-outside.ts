import { z } from 'zod';
import { approvalHandler } from '../../approvals/approval.ts';
import { approvalNeeded, startApproval } from '../../approvals/start.ts';
import { audit } from '../../platform/audit/record.ts';
import { type Tx, sql } from '../../platform/db/database.ts';
import { claimReferences, isHeldByTopUp } from '../../order-numbers/claim.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { OPEN_TO_OPERATORS } from '../matching/join.ts';
import { lockOtherWordings } from '../matching/reported-amounts.ts';
import { spentCredits, spentSince } from '../matching/spent.ts';
import { holdChain } from '../trusted-chain/fill-gap.ts';
import { dropHolds } from '../trusted-chain/hold.ts';

interface OpenMessage {
  readonly amount: bigint;
  readonly currency: 'INR' | 'KES' | 'USDT';
  readonly utr: string | null;
}

/**
 * Asks to mark a credit as settled outside the platform: it was refunded by hand, or never ours. A second person agrees (1205). 404: no
 * such credit. 409: it is not open any more.
 */
export async function settleOutside(
  platform: Platform,
  viewer: Viewer,
  { messageId, reason }: { readonly messageId: bigint; readonly reason: string },
): Promise<Refusal> {
  const outcome = await platform.db.tx(async (tx) => {
    const message = await lockOpen(tx, messageId);
    if (isRefusal(message)) return message;
    return startApproval(platform, tx, viewer, {
      kind: 'settledOutside',
      subjectKind: 'message',
      subjectId: messageId,
      payload: {
        amount: Number(message.amount),
        currency: message.currency,
        spent: await spentCredits(platform, tx, [{ messageId }]),
      },
      reason,
      sole: true,
    });
  });
  return isRefusal(outcome) ? outcome : approvalNeeded(outcome);
}

/**
 * Takes the credit off every list and marks its reference as used: no rule and no supplement takes the credit or its UTR again. Credits
 * that may be the same payment in another wording become ambiguous. Two people may still join one of those to an order.
 */
export const settledOutsideApproval = approvalHandler({
  kind: 'settledOutside',
  payload: z.object({
    amount: z.int(),
    currency: z.enum(['INR', 'KES', 'USDT']),
    spent: z.array(z.string()),
  }),
  summary: ({ amount, currency }) => ({ amount, currency }),
  async execute(platform, tx, { id, payload, subjectId, startedBy }, decider) {
    // The chain is held first. A report with another wording then waits and sees what was decided here: it also holds the chain before it
    // locks messages.
    for (const accountId of await accountsOf(tx, subjectId)) await holdChain(platform, tx, accountId);
    const message = await lockOpen(tx, subjectId);
    if (isRefusal(message)) return message;
    const outdated = spentSince(payload.spent, await spentCredits(platform, tx, [{ messageId: subjectId }]));
    if (outdated) return outdated;
    const wordings = await lockOtherWordings(tx, subjectId, platform.clock.now());
    const open = wordings
      .filter(({ state }) => state !== 'matched' && state !== 'settledOutside')
      .map(({ id: wordingId }) => wordingId);
    const { utr, currency } = message;
    if (utr !== null) {
      const claim = { orderId: subjectId, reference: utr, currency };
      const lost = await claimReferences(tx, [claim], platform.clock.now());
      // A top-up's own credit may have come to one of our accounts. The top-up keeps its reference, so nothing is freed.
      if (lost.size > 0 && !(await isHeldByTopUp(tx, claim))) return refuse('utrUsed');
    }
    await tx.query(sql`
      update messages set state = 'settledOutside', reason = 'settledOutside' where id = ${subjectId}`);
    await dropHolds(tx, open);
    await tx.query(
      sql`update messages set state = 'ambiguous', reason = 'wordingSettled' where id = any(${open})`,
    );
    await audit(platform, tx, {
      userId: decider.userId,
      action: 'message.settledOutside',
      subject: `message:${subjectId}`,
      after: { approvalId: String(id), startedBy: String(startedBy) },
      ip: decider.ip,
    });
    return { messageId: String(subjectId) };
  },
});

/** The account of a message. If it belongs to none: all accounts of its phone. */
async function accountsOf(tx: Tx, messageId: bigint): Promise<readonly bigint[]> {
  const accounts = await tx.query<{ id: bigint }>(sql`
    select a.id from messages m
    join accounts a on a.id = m.account_id or m.account_id is null and a.monitor_id = m.monitor_id
    where m.id = ${messageId} order by a.id`);
  return accounts.map(({ id }) => id);
}

async function lockOpen(tx: Tx, messageId: bigint): Promise<OpenMessage | Refusal> {
  const [message] = await tx.query<OpenMessage & { readonly open: boolean }>(sql`
    select amount, currency, utr, ${OPEN_TO_OPERATORS} as open from messages
    where id = ${messageId} and direction = 'credit' and amount is not null and currency is not null for update`);
  if (!message) return refuse('notFound');
  return message.open ? message : refuse('conflict');
}
