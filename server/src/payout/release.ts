import { z } from 'zod';
import { approvalHandler } from '../approvals/approval.ts';
import { approvalNeeded, startApproval } from '../approvals/start.ts';
import { createSignerClient } from '../channels/usdt/signer-client.ts';
import { actorOf } from '../history/events.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { ChosenOrder } from '../history/row-version.ts';
import { lockForAction } from './actions.ts';
import { putBack } from './supplier-days.ts';

const payload = z.object({ amount: z.number(), currency: z.literal('USDT'), address: z.string() });

/** Shows a releaser's code to the signer. Returns whether this is the first code or the payout is released by two now. */
async function show(
  { config, clock, log }: Platform,
  viewer: Viewer,
  wanted: { readonly payout: bigint; readonly to: string; readonly amount: string; readonly code: string },
): Promise<'first' | 'released' | Refusal> {
  if (!config.signer) return refuse('signerSilent');
  const { payout, ...rest } = wanted;
  try {
    const answer = await createSignerClient(config.signer, clock).ask('/release', {
      payout: String(payout),
      person: viewer.account,
      ...rest,
    });
    if (answer.state !== 'refused') return answer.state;
    return refuse(answer.reason === 'code' ? 'releaseCodeWrong' : 'conflict');
  } catch (error) {
    log.warn({ err: error }, 'the signer does not answer');
    return refuse('signerSilent');
  }
}

/**
 * Asks to release a payout that passes the signer's limits. The signer checks the first releaser's code and keeps it. Then a second
 * releaser decides the request (1205) with another code.
 */
export async function releasePayout(
  platform: Platform,
  viewer: Viewer,
  { code, ...subject }: ChosenOrder & { readonly code: string },
): Promise<Refusal> {
  const { orderId } = subject;
  const order = await platform.db.tx((tx) => lockForAction(tx, viewer, subject, 'release'));
  if (isRefusal(order)) return order;
  const to = order.payeeAddress!;
  const shown = await show(platform, viewer, { payout: orderId, to, amount: String(order.amount), code });
  if (isRefusal(shown)) return shown;
  const started = await platform.db.tx(async (tx) => {
    const still = await lockForAction(tx, viewer, subject, 'release');
    if (isRefusal(still)) return still;
    return startApproval(platform, tx, viewer, {
      kind: 'usdtRelease',
      subjectKind: 'order',
      subjectId: orderId,
      payload: { amount: Number(order.amount), currency: 'USDT', address: to },
      reason: null,
      sole: true,
    });
  });
  return isRefusal(started) ? started : approvalNeeded(started);
}

export const usdtReleaseApproval = approvalHandler({
  kind: 'usdtRelease',
  payload,
  summary: ({ amount, currency }) => ({ amount, currency }),
  async before(platform, { subjectId, payload: { amount, address } }, decider, code) {
    if (code === undefined) return refuse('releaseCodeWrong');
    const wanted = { payout: subjectId, to: address, amount: String(amount), code };
    const shown = await show(platform, decider, wanted);
    if (isRefusal(shown)) return shown;
    // 'first': the signer still has the code of one person only.
    return shown === 'released' ? undefined : refuse('forbidden');
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
