import { PATCH_KINDS } from '@sangam/contract/chain.ts';
import { COLLECTION_STATUS, ORDER_MARK } from '@sangam/contract/orders.ts';
import { z } from 'zod';
import { approvalHandler } from '../../approvals/approval.ts';
import { countOwnWord } from '../../approvals/own-word.ts';
import { tiedToAuthors } from '../../approvals/independence.ts';
import { approvalNeeded, startApproval } from '../../approvals/start.ts';
import { audit } from '../../platform/audit/record.ts';
import { lockForAction } from '../../collection/actions.ts';
import { writeMark } from '../../collection/mark.ts';
import type { Tx } from '../../platform/db/database.ts';
import { spentCredits, spentSince } from '../matching/spent.ts';
import { supplementWithin } from '../matching/supplement.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, refuse, type Refusal, wrongInput } from '../../platform/refusal.ts';
import { bringersOf } from '../statement/store.ts';
import { fillGap, holdChain } from '../trusted-chain/fill-gap.ts';
import { phoneUsers } from '../trusted-chain/phone-users.ts';
import type { Viewer } from '../../platform/viewer.ts';
import {
  dropProposals,
  type Explanation,
  explanationsOf,
  insertPatch,
  markPatched,
  type OpenGap,
  type PatchKind,
  readOpenGap,
} from './store.ts';

/** A person's request to close a gap. */
export interface PatchRequest {
  readonly gapId: bigint;
  readonly kind: PatchKind;
  readonly reason: string;
  readonly evidence: string | null;
  readonly orders: readonly { readonly orderId: bigint; readonly utr: string | null }[];
}

/**
 * Closes a gap on a person's word. The named orders must make up the gap's sum. Unpaid ones are completed by the ordinary supplement and
 * marked fill-in. 1205 for more orders than FixSecurityChainSupplementLimit, and for unpaid orders that would pass UnprovenDayLimit: the
 * gap shows that money came, and only the user says whose it is. 409: the gap is not open any more, or the patch would not close it.
 */
export async function patchGap(
  platform: Platform,
  viewer: Viewer,
  request: PatchRequest,
): Promise<{ id: bigint; state: 'live' } | Refusal> {
  const { FixSecurityChainSupplementLimit: limit } = await platform.settings.all();
  const outcome = await platform.db.tx(async (tx) => {
    const gap = await holdGap(platform, tx, request.gapId);
    if (isRefusal(gap)) return gap;
    const unpaid = await unpaidOf(tx, gap, request);
    const amount = unpaid.reduce((sum, each) => sum + each.amount, 0n);
    const mayAlone =
      request.orders.length <= limit &&
      (amount === 0n ||
        (await countOwnWord(platform, tx, [viewer.userId], { currency: gap.currency, amount })));
    if (mayAlone) return apply(platform, tx, gap, request, { author: viewer, viewer });
    return startApproval(platform, tx, viewer, {
      kind: 'chainPatch',
      subjectKind: 'account',
      subjectId: gap.accountId,
      payload: {
        ...request,
        gapId: String(request.gapId),
        orders: request.orders.map(({ orderId, utr }) => ({ orderId: String(orderId), utr })),
        amount: Number(gap.delta),
        currency: gap.currency,
        spent: await spentOn(platform, tx, gap, unpaid),
      },
      reason: request.reason,
      sole: false,
    });
  });
  if (isRefusal(outcome)) return outcome;
  return 'todoId' in outcome ? approvalNeeded(outcome) : outcome;
}

export const chainPatchApproval = approvalHandler({
  kind: 'chainPatch',
  payload: z.object({
    gapId: z.string(),
    kind: z.enum(PATCH_KINDS),
    reason: z.string(),
    evidence: z.string().nullable(),
    orders: z.array(z.object({ orderId: z.string(), utr: z.string().nullable() })),
    amount: z.int(),
    currency: z.enum(['INR', 'KES', 'USDT']),
    spent: z.array(z.string()),
  }),
  summary: ({ amount, currency }) => ({ amount, currency }),
  async execute(platform, tx, { payload, startedBy }, decider) {
    const gap = await holdGap(platform, tx, BigInt(payload.gapId));
    if (isRefusal(gap)) return gap;
    // The account's phone and the bank's statement say that money came and no message reported it. Nobody tied to those who brought them
    // may agree.
    const authors = [...(await phoneUsers(tx, gap.accountId)), ...(await bringersOf(tx, gap))];
    const tied = await tiedToAuthors(platform, tx, decider, authors);
    if (tied) return tied;
    const request = {
      ...payload,
      gapId: gap.id,
      orders: payload.orders.map(({ orderId, utr }) => ({ orderId: BigInt(orderId), utr })),
    };
    const spent = await spentOn(platform, tx, gap, await unpaidOf(tx, gap, request));
    const outdated = spentSince(payload.spent, spent);
    if (outdated) return outdated;
    const done = await apply(platform, tx, gap, request, { author: { userId: startedBy }, viewer: decider });
    return isRefusal(done) ? done : { patchId: String(done.id) };
  },
});

/** The unpaid orders that the patch would complete. */
async function unpaidOf(tx: Tx, gap: OpenGap, { orders }: PatchRequest): Promise<readonly Explanation[]> {
  if (orders.length === 0 || gap.delta < 0n) return [];
  const named = new Set(orders.map(({ orderId }) => orderId));
  return (await explanationsOf(tx, gap)).filter((each) => !each.isBooked && named.has(each.orderId));
}

const spentOn = (platform: Platform, tx: Tx, { accountId }: OpenGap, orders: readonly Explanation[]) =>
  spentCredits(
    platform,
    tx,
    orders.map(({ orderId, amount }) => ({ accountId, orderId, amount })),
  );

/** Holds the account's chain, then checks that the gap is still open. */
async function holdGap(platform: Platform, tx: Tx, gapId: bigint): Promise<OpenGap | Refusal> {
  const seen = await readOpenGap(tx, gapId);
  if (!seen) return refuse('notFound');
  await holdChain(platform, tx, seen.accountId);
  return (await readOpenGap(tx, gapId)) ?? refuse('conflict');
}

interface People {
  readonly author: { readonly userId: bigint };
  /** The user whose rights apply: the author, or the person who approved. */
  readonly viewer: Viewer;
}

async function apply(
  platform: Platform,
  tx: Tx,
  gap: OpenGap,
  request: PatchRequest,
  { author, viewer }: People,
): Promise<{ id: bigint; state: 'live' } | Refusal> {
  const id = platform.ids.next();
  const amounts: bigint[] = [];
  for (const wanted of request.orders) {
    const amount = await amountOf(platform, tx, gap, viewer, wanted, { patchId: String(id) });
    if (isRefusal(amount)) return amount;
    amounts.push(amount);
  }
  if (amounts.length > 0 && amounts.reduce((sum, amount) => sum + amount, 0n) !== gap.delta)
    return wrongInput('orders');
  const placed = await closeGap(platform, tx, gap, {
    id,
    kind: request.kind,
    amounts,
    orderIds: request.orders.map(({ orderId }) => orderId),
    reason: request.reason,
    evidence: request.evidence === null ? {} : { told: request.evidence },
    authorId: author.userId,
    approvedBy: author.userId === viewer.userId ? null : viewer.userId,
  });
  if (!placed) return refuse('conflict');
  await audit(platform, tx, {
    userId: viewer.userId,
    action: 'chain.patch',
    subject: `account:${gap.accountId}`,
    after: {
      patch: String(id),
      kind: request.kind,
      amount: String(gap.delta),
      currency: gap.currency,
      orders: request.orders.map(({ orderId }) => String(orderId)),
      reason: request.reason,
    },
    ip: viewer.ip,
  });
  return { id, state: 'live' };
}

/** The signed amount that an order accounts for. An unpaid order is completed first. */
async function amountOf(
  platform: Platform,
  tx: Tx,
  gap: OpenGap,
  viewer: Viewer,
  { orderId, utr }: PatchRequest['orders'][number],
  data: Readonly<Record<string, unknown>>,
): Promise<bigint | Refusal> {
  const known = (await explanationsOf(tx, gap)).find((each) => each.orderId === orderId);
  if (!known) return wrongInput('orders');
  if (known.isBooked || gap.delta < 0n) return known.amount;
  if (utr === null) return wrongInput('orders');
  const locked = await lockForAction(platform, tx, viewer, orderId, 'supplement');
  if (isRefusal(locked)) return locked;
  const order = await supplementWithin(platform, tx, viewer, locked.order, { utr, offset: false }, data);
  if (isRefusal(order)) return order;
  if (order.status !== COLLECTION_STATUS.paid) return refuse('conflict');
  // A message of this UTR had come, so the order's money is not the missing money.
  if (!(await explanationsOf(tx, gap)).some((each) => each.orderId === orderId)) return refuse('conflict');
  await writeMark(platform, tx, viewer, order, ORDER_MARK.fillIn);
  return order.received!;
}

export interface Closing {
  readonly id: bigint;
  readonly kind: PatchKind;
  /** Signed parts of the gap's sum. Empty: the whole sum is one part. */
  readonly amounts: readonly bigint[];
  readonly orderIds: readonly bigint[];
  readonly reason: string | null;
  readonly evidence: Readonly<Record<string, unknown>>;
  readonly authorId: bigint | null;
  readonly approvedBy: bigint | null;
}

/** Puts a patch into a gap whose chain the caller holds. Returns false if the patch would not close the gap. */
export async function closeGap(platform: Platform, tx: Tx, gap: OpenGap, closing: Closing): Promise<boolean> {
  const at = platform.clock.now();
  const { amounts, ...patch } = closing;
  const parts = amounts.length > 0 ? amounts : [gap.delta];
  if (!(await fillGap(platform, tx, gap, patch.id, parts))) return false;
  await markPatched(tx, gap.id, at);
  await dropProposals(tx, gap.id, at);
  return insertPatch(
    tx,
    { ...patch, gapId: gap.id, accountId: gap.accountId, amount: gap.delta, state: 'live' },
    at,
  );
}
