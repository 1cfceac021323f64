import { z } from 'zod';
import type { Approval, ApprovalResult, ApprovalSummary } from '../approvals/approval.ts';
import { approvalNeeded, startApproval, type ApprovalRequest } from '../approvals/start.ts';
import type { Tx } from '../platform/db/database.ts';
import { post, type Leg } from '../ledger/post.ts';
import type { Platform } from '../platform/platform.ts';
import { isFrozen } from './owner.ts';
import { isRefusal, refuse, type Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';

/** The payload of a request to move money. The request's subject is the owner. */
export const movePayload = z.object({
  currency: z.enum(['INR', 'KES', 'USDT']),
  bucket: z.enum(['available', 'deposit', 'commission']),
  /** Minor units; negative takes from the owner. */
  amount: z.int(),
});

export type MovePayload = z.output<typeof movePayload>;

export function moveSummary({ amount, currency }: MovePayload): ApprovalSummary {
  return { amount, currency };
}

/** Checks (`prepare`) and writes a request in one transaction, and what is kept with it (`keep`). Returns 1205, or the refusal. */
export async function ask<Request extends ApprovalRequest>(
  platform: Platform,
  viewer: Viewer,
  prepare: (tx: Tx) => Promise<Request | Refusal>,
  keep?: (tx: Tx, todoId: bigint, request: Request) => Promise<unknown>,
): Promise<Refusal> {
  const started = await platform.db.tx(async (tx) => {
    const request = await prepare(tx);
    if (isRefusal(request)) return request;
    const written = await startApproval(platform, tx, viewer, request);
    if (!isRefusal(written)) await keep?.(tx, written.todoId, request);
    return written;
  });
  return isRefusal(started) ? started : approvalNeeded(started);
}

/**
 * Posts an approved move between its owner and an account of the platform. Money that comes in pays the owner's debt first. Money that goes
 * out is refused when the balance is too low (1203), and for a frozen owner (409). The approval's id is the idempotency key.
 */
export async function move(
  platform: Platform,
  tx: Tx,
  approval: Approval<MovePayload>,
  options: {
    readonly postingKind: string;
    readonly against: 'external' | 'adjustment';
    readonly atLeast?: bigint;
  },
): Promise<ApprovalResult | Refusal> {
  const { subjectKind, subjectId, payload, reason, startedBy } = approval;
  if (subjectKind !== 'merchant' && subjectKind !== 'supplier')
    throw new Error(`approval ${approval.id} moves money of no owner`);
  const amount = BigInt(payload.amount);
  if (amount < 0n && (await isFrozen(tx, subjectKind, subjectId)))
    return refuse('conflict', {}, { reason: 'frozen' });
  const own: Leg = {
    ownerKind: subjectKind,
    ownerId: subjectId,
    bucket: payload.bucket,
    amount,
    ...(amount > 0n ? { spillsToDebt: true } : {}),
    ...(options.atLeast === undefined ? {} : { atLeast: options.atLeast }),
  };
  const [outcome] = await post(platform, tx, [
    {
      key: `approval/${approval.id}`,
      kind: options.postingKind,
      orderId: null,
      currency: payload.currency,
      legs: [own, { ownerKind: 'platform', ownerId: 0n, bucket: options.against, amount: -amount }],
      ...(reason === null ? {} : { reason }),
      userId: startedBy,
    },
  ]);
  if (outcome === 'insufficient') return refuse('balanceInsufficient');
  if (outcome === 'duplicate') throw new Error(`approval ${approval.id} was posted before`);
  return { amount: payload.amount, currency: payload.currency };
}
