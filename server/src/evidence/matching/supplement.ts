import { SUPPLEMENT_APPROVAL_FROM } from '@sangam/contract/approvals.ts';
import { COLLECTION_STATUS } from '@sangam/contract/orders.ts';
import { namesOf } from '@sangam/contract/references.ts';
import { z } from 'zod';
import { approvalHandler } from '../../approvals/approval.ts';
import { countOwnWord } from '../../approvals/own-word.ts';
import { tiedToAuthors } from '../../approvals/independence.ts';
import { approvalNeeded, startApproval } from '../../approvals/start.ts';
import { orderVersion } from '../../collection/actions.ts';
import { actorOf, type Actor } from '../../history/events.ts';
import type { ChosenOrder } from '../../history/row-version.ts';
import type { CollectionOrder } from '../../collection/order.ts';
import { DepositShort, completeOrders } from '../../collection/complete.ts';
import { readOrder } from '../../collection/read.ts';
import { isTest } from '../../collection/test-orders.ts';
import { type Queryable, type Tx, sql } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../../platform/refusal.ts';
import { isStaff, type Viewer } from '../../platform/viewer.ts';
import { evidenceFor, isSelfReported, type Stater, staterOf } from '../trusted-chain/statements.ts';
import { isOfAnotherPayer } from '../../collection/matchable.ts';
import { identifyCodesIn } from './decide.ts';
import { bookedByTransaction, contradictBooked } from './booked.ts';
import { isTooOld, joinMessage, lockCredit, lockOpenCredit, type OpenCredit, transferMeant } from './join.ts';
import { lockWithChain } from './lock-with-chain.ts';
import { isNamedBy } from '../../order-numbers/references.ts';
import { lowestIdAfter } from '../../platform/db/ids.ts';
import { isTopUp, ordersNamedBy } from '../../order-numbers/claim.ts';
import { directionOf } from '../../order-numbers/numbers.ts';
import { spentSince } from './spent.ts';
import { isSpentOtherwise, isTakenBack, receivedBy, spentFor } from './supplement-spent.ts';
import { phoneUsers } from '../trusted-chain/phone-users.ts';

interface Evidence {
  readonly utr: string;
  readonly offset: boolean;
  /** The stored message that the operator chose. */
  readonly messageId?: bigint | undefined;
  /** A supplier alone says so, and its deposit has to carry it (`Completion`). */
  readonly isWithinDeposit?: boolean;
}

/**
 * Completes an order on a UTR that did not match by itself (docs/domain.md#supplement). A stored credit of the account with this UTR is
 * joined, and its amount counts as received; without one the payable amount counts, or the asked amount if there is no payable one.
 * `offset`: the money came outside the order's account and is posted against suspense. An order that failed to allocate can only be
 * completed as an offset. 1205: a second person must agree (`needsApproval`). That also holds for a supplier's statement without evidence
 * that is an offset, and for one that exceeds the deposit if it has no evidence or its order waits no more.
 */
export async function supplement(
  platform: Platform,
  viewer: Viewer,
  input: Evidence & ChosenOrder,
): Promise<CollectionOrder | Refusal> {
  const outcome = await attempt(platform, viewer, input, false).catch((error: unknown) => {
    if (!(error instanceof DepositShort)) throw error;
    return attempt(platform, viewer, input, true);
  });
  if (isRefusal(outcome)) {
    if (outcome.code === 'utrUsed' && isStaff(viewer)) return usedBy(platform.db, input.utr);
    return outcome.code === 'actionNotAllowed'
      ? ((await doneBefore(platform.db, viewer, input)) ?? outcome)
      : outcome;
  }
  return 'order' in outcome ? outcome.order : approvalNeeded(outcome);
}

/** The refusal 'UTR used', with what uses it: orders, top-ups, or credits that were settled outside. */
async function usedBy(db: Queryable, utr: string): Promise<Refusal> {
  const holders = [];
  for (const id of await ordersNamedBy(db, utr)) {
    const direction = await directionOf(db, id);
    const other = direction === undefined && ((await isTopUp(db, id)) ? 'topUps' : 'bankMessages');
    holders.push({
      orderCode: String(id),
      area: other || (direction === 'in' ? 'collectionOrders' : 'payoutOrders'),
    });
  }
  return refuse('utrUsed', {}, { holders });
}

/** Completes the order, or asks for approval if it is needed or `asks` is set. */
function attempt(platform: Platform, viewer: Viewer, input: Evidence & ChosenOrder, asks: boolean) {
  const { offset, messageId } = input;
  return platform.db.tx(async (tx) => {
    const locked = await lockWithChain(platform, tx, viewer, input, 'supplement');
    if (isRefusal(locked)) return locked;
    const { order, waiting } = locked;
    if (order.status === COLLECTION_STATUS.allocationFailed && !offset) return refuse('actionNotAllowed');
    const found = await creditFor(tx, order, input);
    if (isRefusal(found)) return found;
    const { credit, utr } = found;
    const amount = receivedBy(order, credit);
    const isOwn = isSelfReported(
      staterOf(viewer),
      await countedFor(platform, tx, staterOf(viewer), order, credit),
    );
    const isDoubtful =
      (isOwn && offset) || (!credit && (await isTakenBack(platform, tx, order, { utr, offset })));
    if (!asks && !isDoubtful && !(await needsApproval(platform, tx, viewer, order, { utr, credit }))) {
      const settled = await complete(
        platform,
        tx,
        order,
        // An order that waits no more left the room of the deposit, which others may have filled since.
        { utr, offset, isWithinDeposit: isOwn || (!isStaff(viewer) && waiting === null) },
        credit,
        actorOf(viewer),
        {},
      );
      return isRefusal(settled) ? settled : { order: settled };
    }
    return startApproval(platform, tx, viewer, {
      kind: 'supplementAbove',
      subjectKind: 'order',
      subjectId: order.id,
      payload: {
        utr,
        offset,
        amount: Number(amount),
        currency: order.currency,
        version: orderVersion(order),
        spent: await spentFor(platform, tx, order, input, credit),
        ...(messageId === undefined ? {} : { messageId: String(messageId) }),
      },
      reason: null,
      sole: true,
    });
  });
}

/**
 * The order, if this user has already supplemented it with this UTR in this way. A user who lost the answer and asks again gets the same
 * answer.
 */
async function doneBefore(
  db: Queryable,
  viewer: Viewer,
  { orderId, utr, offset }: Evidence & { readonly orderId: bigint },
): Promise<CollectionOrder | undefined> {
  const [done] = await db.query(sql`
    select 1 from order_events where order_id = ${orderId} and id > ${lowestIdAfter(orderId)} and kind = 'supplemented'
      and actor_kind = 'user' and actor_id = ${viewer.userId}
      and ${isNamedBy(sql`data->>'utr'`, utr)} and data @> ${JSON.stringify({ offset })}::jsonb`);
  if (!done) return undefined;
  const order = await readOrder(db, orderId);
  return order?.reversedAt === null ? order : undefined;
}

export const supplementApproval = approvalHandler({
  kind: 'supplementAbove',
  payload: z.object({
    utr: z.string(),
    offset: z.boolean(),
    amount: z.int(),
    currency: z.enum(['INR', 'KES', 'USDT']),
    messageId: z.string().transform(BigInt).optional(),
    version: z.string().optional(),
    spent: z.array(z.string()),
  }),
  summary: ({ amount, currency }) => ({ amount, currency }),
  async execute(platform, tx, approval, decider) {
    const { payload } = approval;
    // The version refuses an order that is on another account by now, where it would charge another supplier.
    const asked = { orderId: approval.subjectId, version: payload.version };
    const locked = await lockWithChain(platform, tx, decider, asked, 'supplement');
    if (isRefusal(locked)) return locked;
    const { order } = locked;
    const found = await creditFor(tx, order, payload);
    if (isRefusal(found)) return found;
    const { credit, utr } = found;
    // Only the account's phone supports the credit, so nobody tied to the users of that phone may agree.
    if (credit && !(await countedFor(platform, tx, 'supplier', order, credit))) {
      const tied = await tiedToAuthors(platform, tx, decider, await phoneUsers(tx, order.accountId!));
      if (tied) return tied;
    }
    const amount = receivedBy(order, credit);
    // The order was reselected, or a message of another amount came. That is not what was asked for.
    if (amount !== BigInt(payload.amount)) return refuse('conflict');
    const outdated = spentSince(payload.spent, await spentFor(platform, tx, order, payload, credit));
    if (outdated) return outdated;
    const data = { approvalId: String(approval.id), startedBy: String(approval.startedBy) };
    const settled = await complete(
      platform,
      tx,
      order,
      { utr, offset: payload.offset },
      credit,
      actorOf(decider),
      data,
    );
    return isRefusal(settled) ? settled : { orderStatusId: settled.status };
  },
});

async function needsApproval(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  order: CollectionOrder,
  paid: { readonly utr: string; readonly credit: OpenCredit | undefined },
): Promise<boolean> {
  const { credit } = paid;
  if (credit && (await isSpentOtherwise(platform, tx, order.accountId, credit))) return true;
  // A test order charges nobody: the account's owner would keep the payment.
  if (credit && (await isTest(tx, order))) return true;
  const { currency } = order;
  const amount = receivedBy(order, credit);
  const from = SUPPLEMENT_APPROVAL_FROM[currency];
  if (viewer.role !== 'superAdmin' && from > 0n && amount >= from) return true;
  const isDoubtful = await mayBeAnothers(platform, tx, order, paid);
  // A supplier's statement charges its own deposit, so it does not count towards the limit of the day.
  if (!isStaff(viewer)) return isDoubtful;
  if (!isDoubtful && (await countedFor(platform, tx, 'supplier', order, credit))) return false;
  return !(await countOwnWord(platform, tx, [viewer.userId], { currency, amount }));
}

/**
 * Whether somebody may be joining another payer's money to the order: the message carries another order's code, the sum is not what the
 * order asked, or another order's payer named or owed it. The merchant of that order does not see what is done, and the merchant of this one
 * may belong to whoever does it.
 */
async function mayBeAnothers(
  platform: Platform,
  tx: Tx,
  order: CollectionOrder,
  { utr, credit }: { readonly utr: string; readonly credit: OpenCredit | undefined },
): Promise<boolean> {
  if (credit && credit.amount !== order.payable && credit.amount !== order.amount) return true;
  if (credit && identifyCodesIn(credit.text).some((code) => code !== order.identifyCode)) return true;
  const { CompleteCheckOrderTime: graceMinutes } = await platform.settings.all();
  return isOfAnotherPayer(tx, order, { utr, credit }, { at: platform.clock.now(), graceMinutes });
}

interface Found {
  /** The reference that the order is completed by. */
  readonly utr: string;
  readonly credit: OpenCredit | undefined;
}

/**
 * Locks the stored credit of the order's account with this UTR, or the chosen message. 409 if the chosen message is not open any more or
 * states another UTR. Of USDT the operator may state the id of the credit's transaction (`transferMeant`).
 */
async function creditFor(
  tx: Tx,
  order: CollectionOrder,
  { utr: stated, offset, messageId }: Evidence,
): Promise<Found | Refusal> {
  const { accountId, currency } = order;
  if (messageId !== undefined) {
    const named = accountId === null ? undefined : await lockCredit(tx, accountId, messageId);
    const utr = named?.utr ?? stated;
    return named && namesOf(utr).includes(stated)
      ? once(tx, order, { utr, credit: named })
      : refuse('conflict');
  }
  const utr = currency === 'USDT' ? await transferMeant(tx, offset ? null : accountId, stated) : stated;
  if (isRefusal(utr)) return utr;
  const credit =
    offset || accountId === null ? undefined : await lockOpenCredit(tx, accountId, utr, 'operator');
  return once(tx, order, { utr, credit });
}

/** 1204 if an order was booked by the id of the credit's transaction, and the credit is its payment. */
async function once(
  tx: Tx,
  { accountId, currency }: CollectionOrder,
  found: Found,
): Promise<Found | Refusal> {
  const { utr: reference, credit } = found;
  if (!credit || accountId === null) return found;
  const booked = await bookedByTransaction(tx, [{ accountId, amount: credit.amount, currency, reference }]);
  return booked.length > 0 ? refuse('utrUsed') : found;
}

/** The credit, if it counts as evidence for what `stater` says. A credit that is too old never does. */
async function countedFor(
  platform: Platform,
  tx: Tx,
  stater: Stater,
  { accountId, currency, allocatedAt }: CollectionOrder,
  credit: OpenCredit | undefined,
): Promise<OpenCredit | undefined> {
  if (!credit || allocatedAt === null || isTooOld(credit, allocatedAt)) return undefined;
  const movement = { ...credit, accountId: accountId!, currency, direction: 'credit' } as const;
  const counted = await evidenceFor(platform, tx, stater, [movement]);
  return counted.has(credit.id) ? credit : undefined;
}

/**
 * Completes a locked order on a UTR as part of a larger command. The caller has checked the rights and asks for approval where it must.
 * Refuses with 409 if the money of the credit may be spent already.
 */
export async function supplementWithin(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  order: CollectionOrder,
  evidence: Evidence,
  data: Readonly<Record<string, unknown>>,
): Promise<CollectionOrder | Refusal> {
  const found = await creditFor(tx, order, evidence);
  if (isRefusal(found)) return found;
  const { credit, utr } = found;
  // Such a credit needs a second person, and only a supplement of its own asks one.
  if (credit && (await isSpentOtherwise(platform, tx, order.accountId, credit))) return refuse('conflict');
  if (!credit && (await isTakenBack(platform, tx, order, { utr, offset: evidence.offset })))
    return refuse('conflict');
  return complete(platform, tx, order, { ...evidence, utr }, credit, actorOf(viewer), data);
}

async function complete(
  platform: Platform,
  tx: Tx,
  order: CollectionOrder,
  evidence: Evidence,
  credit: OpenCredit | undefined,
  actor: Actor,
  data: Readonly<Record<string, unknown>>,
): Promise<CollectionOrder | Refusal> {
  const [settled] = await completeOrders(platform, tx, [
    {
      orderId: order.id,
      received: receivedBy(order, credit),
      utr: evidence.utr,
      by: 'supplement',
      offset: evidence.offset,
      isWithinDeposit: evidence.isWithinDeposit ?? false,
      isBare: credit?.utr === null,
      actor,
      data: { offset: evidence.offset, ...data, ...(credit ? { messageId: String(credit.id) } : {}) },
    },
  ]);
  if (isRefusal(settled)) return settled;
  if (credit) await joinMessage(platform, tx, credit.id, order.id, 'supplement');
  else
    await contradictBooked(platform, tx, { orderId: order.id, currency: order.currency, utr: evidence.utr });
  return settled!;
}
