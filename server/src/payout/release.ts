import { z } from 'zod';
import { approvalHandler } from '../approvals/approval.ts';
import { approvalNeeded, startApproval } from '../approvals/start.ts';
import { createSignerClient } from '../channels/usdt/signer-client.ts';
import { actorOf } from '../history/events.ts';
import { type Tx, sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { ChosenOrder } from '../history/row-version.ts';
import { lockForAction } from './actions.ts';
import { putBack } from './supplier-days.ts';

const OTHER_WAITS = refuse('conflict', {}, { reason: 'otherRequestWaits' });

/** What the signer refuses, as the console says it. */
const REFUSED = {
  code: refuse('releaseCodeWrong'),
  locked: refuse('releaseCodeWrong', {}, { reason: 'releaserLocked' }),
  noFirst: refuse('conflict', {}, { reason: 'noFirstCode' }),
  samePerson: refuse('forbidden'),
  different: refuse('conflict'),
} as const;

const payload = z.object({ amount: z.number(), currency: z.literal('USDT'), address: z.string() });

/** Shows a releaser's code to the signer: the first with a request to release a payout, the second with its approval. */
async function show(
  { config, clock, log }: Platform,
  viewer: Viewer,
  as: 'first' | 'second',
  wanted: {
    readonly request: bigint;
    readonly payout: bigint;
    readonly to: string;
    readonly amount: string;
    readonly code: string;
  },
): Promise<Refusal | undefined> {
  if (!config.signer) return refuse('signerSilent');
  const { request, payout, ...rest } = wanted;
  try {
    const answer = await createSignerClient(config.signer, clock).ask('/release', {
      as,
      request: String(request),
      payout: String(payout),
      person: viewer.account,
      ...rest,
    });
    return answer.state === 'refused' ? REFUSED[answer.reason] : undefined;
  } catch (error) {
    log.warn({ err: error }, 'the signer does not answer');
    return refuse('signerSilent');
  }
}

/**
 * Asks to release a payout that passes the signer's limits. The signer checks the first releaser's code and keeps it for this request. Then
 * a second releaser decides the request (1205) with another code.
 */
export async function releasePayout(
  platform: Platform,
  viewer: Viewer,
  { code, ...subject }: ChosenOrder & { readonly code: string },
): Promise<Refusal> {
  const { orderId } = subject;
  const order = await platform.db.tx(async (tx) => {
    const chosen = await lockForAction(tx, viewer, subject, 'release');
    // The signer keeps one first code of a payout: another would take the waiting request its own.
    return !isRefusal(chosen) && (await isAskedFor(platform, tx, orderId)) ? OTHER_WAITS : chosen;
  });
  if (isRefusal(order)) return order;
  const to = order.payeeAddress!;
  const id = platform.ids.next();
  const wanted = { request: id, payout: orderId, to, amount: String(order.amount), code };
  const refused = await show(platform, viewer, 'first', wanted);
  if (refused) return refused;
  const started = await platform.db.tx(async (tx) => {
    const still = await lockForAction(tx, viewer, subject, 'release');
    if (isRefusal(still)) return still;
    return startApproval(platform, tx, viewer, {
      id,
      kind: 'usdtRelease',
      subjectKind: 'order',
      subjectId: orderId,
      payload: { amount: Number(order.amount), currency: 'USDT', address: to },
      reason: null,
      sole: true,
    });
  });
  if (isRefusal(started)) return started;
  return started.todoId === id ? approvalNeeded(started) : OTHER_WAITS;
}

async function isAskedFor(platform: Platform, tx: Tx, orderId: bigint): Promise<boolean> {
  const [waiting] = await tx.query(sql`
    select 1 from approvals where kind = 'usdtRelease' and subject_kind = 'order' and subject_id = ${orderId}
      and status = 'pending' and expires_at > ${platform.clock.now()}`);
  return waiting !== undefined;
}

export const usdtReleaseApproval = approvalHandler({
  kind: 'usdtRelease',
  payload,
  summary: ({ amount, currency }) => ({ amount, currency }),
  async before(platform, { id, subjectId, payload: { amount, address } }, decider, code) {
    if (code === undefined) return refuse('releaseCodeWrong');
    const wanted = { request: id, payout: subjectId, to: address, amount: String(amount), code };
    return show(platform, decider, 'second', wanted);
  },
  async execute(platform, tx, approval, decider) {
    const order = await lockForAction(tx, decider, approval.subjectId, 'release');
    if (isRefusal(order)) return order;
    await putBack(platform, tx, [order], () => ({
      kind: 'reselected',
      actor: actorOf(decider),
      data: {
        approvalId: String(approval.id),
        releasedBy: [String(approval.startedBy), String(decider.userId)],
      },
    }));
    return { orderCode: String(order.id) };
  },
});
