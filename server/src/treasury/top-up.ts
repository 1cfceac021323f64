import type { topUp as endpoint } from '@sangam/contract/endpoints/fund.ts';
import { readReference } from '@sangam/contract/references.ts';
import { z } from 'zod';
import { approvalHandler } from '../approvals/approval.ts';
import { claimReferences, orderOfReference } from '../order-numbers/claim.ts';
import { type Tx, sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, refuse, type Refusal, wrongInput } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { ask, move, movePayload, moveSummary } from './move.ts';
import { bucketOf, visibleOwner } from './owner.ts';

/** Asks to credit money that came in from outside the platform. A UTR that an order or another top-up has used is refused (utrUsed). */
export function topUp(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof endpoint.input>,
): Promise<Refusal> {
  return ask(platform, viewer, async (tx) => {
    const { currency, amount, reason, requestKey } = input;
    const owner = await visibleOwner(tx, viewer, input);
    if (isRefusal(owner)) return owner;
    const utr = readReference(input.utr, currency);
    if (utr === null && input.utr !== undefined) return wrongInput('utr');
    const holder = utr === null ? undefined : await orderOfReference(tx, { reference: utr, currency });
    if (holder !== undefined && !(await isRepeated(tx, holder, viewer, requestKey))) return refuse('utrUsed');
    return {
      kind: 'topUp',
      subjectKind: owner.ownerKind,
      subjectId: owner.ownerId,
      payload: { currency, bucket: bucketOf(owner, undefined), amount, ...(utr !== null && { utr }) },
      reason,
      requestKey,
      sole: false,
    };
  });
}

/**
 * Whether the viewer made the request that has used the UTR under this key: then it repeats the request. A refusal would tempt it to ask
 * for the money once more without the UTR.
 */
async function isRepeated(tx: Tx, holder: bigint, viewer: Viewer, requestKey?: string): Promise<boolean> {
  if (requestKey === undefined) return false;
  const rows = await tx.query(sql`
    select 1 from approvals where id = ${holder} and started_by = ${viewer.userId} and request_key = ${requestKey}`);
  return rows.length > 0;
}

export const topUpApproval = approvalHandler({
  kind: 'topUp',
  /** `utr`: the number of the payment from outside, normalised. It belongs to the request from its execution on, like to an order. */
  payload: movePayload.extend({ utr: z.string().optional() }),
  summary: (payload) => moveSummary(payload),
  async execute(platform, tx, approval) {
    const { id: orderId, payload } = approval;
    const { utr: reference, currency } = payload;
    if (reference !== undefined) {
      const lost = await claimReferences(tx, [{ orderId, reference, currency }], platform.clock.now());
      if (lost.size > 0) return refuse('utrUsed');
    }
    return move(platform, tx, approval, { postingKind: 'topUp', against: 'external' });
  },
});
