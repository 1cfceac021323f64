import { COLLECTION_STATUS, type CollectionStatus } from '@sangam/contract/orders.ts';
import { businessDay } from '@sangam/contract/time.ts';
import { changeLoad, lockLoad, waitingAmountOf } from '../accounts/load.ts';
import { enqueueCallbacks, withdrawTimeoutCallbacks } from '../callbacks/enqueue.ts';
import type { Tx } from '../platform/db/database.ts';
import { lowestByOwnWord } from '../ledger/credit-limit.ts';
import { splitFee, type Split } from '../ledger/fees.ts';
import { post, type Leg, type PostingRequest } from '../ledger/post.ts';
import type { Platform } from '../platform/platform.ts';
import { supplierTerms } from '../terms/products/commission-terms.ts';
import { recountTerms } from '../terms/products/terms-day.ts';
import { claimReferences } from '../order-numbers/claim.ts';
import { refuse, type Refusal } from '../platform/refusal.ts';
import { lackingCommission } from '../treasury/owner.ts';
import { dueDays } from '../treasury/settlement/due-day.ts';
import type { Actor } from '../history/events.ts';
import { transition } from './transition.ts';
import { notificationOf } from './notification.ts';
import type { CollectionOrder } from './order.ts';
import { lockWithWaiting, releasePaid, rememberPaid } from './store.ts';
import { type WaitingOrder, termsCountsOf } from './waiting.ts';
import { takeBackTests } from './test-orders.ts';

/** Evidence that an order's money arrived. */
export interface Completion {
  readonly orderId: bigint;
  /** Minor units that arrived. */
  readonly received: bigint;
  /** Normalised reference, when the evidence states one. */
  readonly utr: string | null;
  /** A 'supplement' may also complete an order that failed to allocate. An offset is posted against suspense. */
  readonly by: 'message' | 'supplement';
  readonly offset: boolean;
  /** The account where a message saw the money. An order that has moved to another account is not paid by it. */
  readonly accountId?: bigint;
  /** The message that a person joined states no reference; the person stated the UTR. */
  readonly isBare?: boolean;
  /**
   * A supplier alone says that the money came, or that it is for an order which waits no more. What its deposit cannot carry throws
   * `DepositShort` and does not become debt.
   */
  readonly isWithinDeposit?: boolean;
  readonly actor: Actor;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Without an account there is no supplier to charge: an order that failed to allocate is completed by an offset only. */
const COMPLETED_BY: Record<Completion['by'], readonly CollectionStatus[]> = {
  message: [COLLECTION_STATUS.allocated, COLLECTION_STATUS.timedOut],
  supplement: [COLLECTION_STATUS.allocated, COLLECTION_STATUS.timedOut, COLLECTION_STATUS.allocationFailed],
};

/** A supplier's own statement would have charged it more than its deposit carries. */
export class DepositShort extends Error {}

const FROZEN = refuse('conflict', {}, { reason: 'frozen' });

/** Whether the evidence was refused because the order is frozen. Such evidence is held until the order is unfrozen. */
export function isFrozen(result: CollectionOrder | Refusal): boolean {
  return result === FROZEN;
}

/**
 * Completes orders on evidence, in the caller's transaction: claims the UTR, posts to the ledger, sets status 6, releases
 * account and amount, writes history and outbox. Each completion succeeds or is refused alone (1201 status or another account,
 * 1204 UTR used, `isFrozen` for a frozen order). A call takes one completion an order.
 */
export async function completeOrders(
  platform: Platform,
  tx: Tx,
  completions: readonly Completion[],
  at: Date = platform.clock.now(),
): Promise<(CollectionOrder | Refusal)[]> {
  const ids = completions.map((completion) => completion.orderId);
  const locked = await lockWithWaiting(tx, ids);
  const waiting = new Map(locked.waiting.map((row) => [row.orderId, row]));
  const orders = new Map(locked.orders.map((order) => [order.id, order]));

  const refusals = new Map<bigint, Refusal>();
  const open = completions.filter((completion) => {
    const order = orders.get(completion.orderId);
    if (order?.frozen) {
      refusals.set(completion.orderId, FROZEN);
      return false;
    }
    const fits =
      order &&
      COMPLETED_BY[completion.by].includes(order.status) &&
      // Only a person joins money to an order that has left the load: others may have filled the deposit since.
      (completion.by === 'supplement' || waiting.has(order.id)) &&
      (completion.accountId === undefined || completion.accountId === order.accountId) &&
      (completion.offset || order.supplierId !== null);
    if (!fits) refusals.set(completion.orderId, refuse('actionNotAllowed'));
    return fits;
  });
  const used = await claimReferences(
    tx,
    open.flatMap(({ orderId, utr }) =>
      utr === null ? [] : [{ orderId, reference: utr, currency: orders.get(orderId)!.currency }],
    ),
    at,
  );
  const settled = open.filter((completion) => {
    if (used.has(completion.orderId)) refusals.set(completion.orderId, refuse('utrUsed'));
    return !used.has(completion.orderId);
  });
  if (settled.length > 0) {
    const { IsSupplierRemoveBalanceOnOrderFinished: isChargedWhenPaid } = await platform.settings.all();
    // Allocation locks the account's load before the deposit that it holds. Giving a hold back must lock in the same order.
    if (!isChargedWhenPaid || locked.waiting.some(({ held }) => held > 0n))
      await lockLoad(
        tx,
        locked.waiting.map(({ accountId }) => accountId),
        businessDay(at),
      );
    const paid = await creditOrders(platform, tx, settled, orders, waiting, at);
    const tests = await takeBackTests(platform, tx, paid, at);
    release(tx, settled, waiting, at);
    rememberPaid(
      tx,
      settled.flatMap((completion) => {
        const { orderId, received, by, offset, data } = completion;
        const { accountId, amount } = orders.get(orderId)!;
        if (offset || accountId === null) return [];
        const isUnproven = by === 'supplement' && data['messageId'] === undefined;
        // An order that no longer waits left its amount unpaid.
        if (!isUnproven && waiting.has(orderId)) return [];
        // A payer's message does not become that of a test order, which charges nobody.
        const awaitsMessage = isUnproven && !tests.has(orderId);
        const paid = { orderId, accountId, received, stated: isStated(completion), awaitsMessage };
        // Its message may state the asked sum: the payer may have rounded the floating part away.
        return isUnproven && amount !== received ? [paid, { ...paid, received: amount }] : [paid];
      }),
      at,
    );
    withdrawTimeoutCallbacks(
      tx,
      paid.map((order) => order.id),
      at,
    );
    await enqueueCallbacks(
      platform,
      tx,
      paid.map((order) => notificationOf(order, 'paid')),
      at,
    );
    for (const order of paid) orders.set(order.id, order);
  }
  return completions.map((completion) => refusals.get(completion.orderId) ?? orders.get(completion.orderId)!);
}

/** Posts the ledger and marks the orders paid; returns them as they are now. */
async function creditOrders(
  platform: Platform,
  tx: Tx,
  settled: readonly Completion[],
  orders: ReadonlyMap<bigint, CollectionOrder>,
  waiting: ReadonlyMap<bigint, WaitingOrder>,
  at: Date,
): Promise<CollectionOrder[]> {
  const before = settled.map((completion) => orders.get(completion.orderId)!);
  const [terms, due, leasts] = await Promise.all([
    supplierTerms(
      tx,
      before.map(({ supplierId, productId, createdAt }) => ({ supplierId, productId, at: createdAt })),
    ),
    dueDays(
      platform,
      tx,
      before.map((order) => order.merchantId),
      at,
    ),
    Promise.all(
      settled.map(({ isWithinDeposit, orderId }, index) =>
        isWithinDeposit ? leastLeft(tx, before[index]!, waiting.get(orderId)) : Promise.resolve(undefined),
      ),
    ),
  ]);
  const paid = settled.map((completion, index) => {
    const unpaid = before[index]!;
    const { supplier, agents } = terms[index]!;
    const split = splitFee(
      completion.received,
      { ratePpm: unpaid.merchantRatePpm, fixedFee: unpaid.merchantFixedFee },
      supplier,
      agents,
    );
    const order: CollectionOrder = {
      ...unpaid,
      status: COLLECTION_STATUS.paid,
      supplementStatus: completion.by === 'supplement' ? 1 : unpaid.supplementStatus,
      received: completion.received,
      utr: completion.utr,
      fee: split.fee,
      supplierCommission: split.supplierCommission,
      agentCommission: split.agentCommission,
      paidAt: at,
    };
    const held = waiting.get(order.id)?.held ?? 0n;
    const dueDay = due.get(order.merchantId);
    const options = { held, dueDay, leastLeft: leasts[index] };
    return { order, posting: postingOf(order, split, completion.offset, at, options) };
  });
  const outcomes = await post(
    platform,
    tx,
    paid.map(({ posting }) => posting),
  );
  outcomes.forEach((outcome, index) => {
    if (outcome === 'insufficient' && settled[index]!.isWithinDeposit) throw new DepositShort();
    // No other leg can fail: what a balance lacks becomes debt. The order's lock excludes a second posting.
    if (outcome !== 'posted') throw new Error(`credit of order ${paid[index]!.order.id}: ${outcome}`);
  });
  const rows = paid.map(({ order }) => order);
  const paidOf = new Map(rows.map((order) => [order.id, order]));
  await transition(
    platform,
    tx,
    settled.map((completion) => ({
      orderId: completion.orderId,
      kind: completion.by === 'supplement' ? 'supplemented' : 'paid',
      from: orders.get(completion.orderId)!.status,
      to: COLLECTION_STATUS.paid,
      actor: completion.actor,
      data: { ...completion.data, received: Number(completion.received), utr: completion.utr },
      at,
    })),
    (orderId) => {
      const order = paidOf.get(orderId)!;
      return {
        supplement_status: order.supplementStatus,
        received: order.received,
        utr: order.utr,
        fee: order.fee,
        supplier_commission: order.supplierCommission,
        agent_commission: order.agentCommission,
        paid_at: at,
      };
    },
  );
  return rows;
}

/**
 * What a supplier's own statement must leave of its deposit: its debt, what is unproven, also what it earned so and repaid a debt with, and
 * what payers may still pay for other orders.
 */
async function leastLeft(
  tx: Tx,
  { supplierId, currency }: CollectionOrder,
  own: WaitingOrder | undefined,
): Promise<bigint> {
  const lowest =
    (await lowestByOwnWord(tx, supplierId!, currency)) + (await lackingCommission(tx, supplierId!, currency));
  const others = (await waitingAmountOf(tx, supplierId!, currency)) - (own ? own.payable - own.held : 0n);
  return others > 0n ? lowest + others : lowest;
}

/**
 * The hold of the order is charged, or given back where the money came outside the order's account. With a due day (`dueDays`)
 * the merchant's credit is pending until that day. With `leastLeft` the deposit has to keep that much, and nothing becomes debt.
 */
export function postingOf(
  order: CollectionOrder,
  split: Split,
  offset: boolean,
  at: Date,
  {
    held = 0n,
    dueDay,
    leastLeft,
  }: {
    readonly held?: bigint;
    readonly dueDay?: number | undefined;
    readonly leastLeft?: bigint | undefined;
  } = {},
): PostingRequest {
  const received = order.received!;
  const supplier = (bucket: 'deposit' | 'held', amount: bigint): Leg[] =>
    amount === 0n && (bucket === 'held' || leastLeft === undefined)
      ? []
      : [
          {
            ownerKind: 'supplier',
            ownerId: order.supplierId!,
            bucket,
            amount,
            ...(bucket === 'held'
              ? {}
              : leastLeft === undefined
                ? { spillsToDebt: true }
                : { atLeast: leastLeft }),
          },
        ];
  const legs: Leg[] = [
    ...supplier('held', -held),
    ...supplier('deposit', offset ? held : held - received),
    { ownerKind: 'platform', ownerId: 0n, bucket: 'suspense', amount: offset ? -received : 0n },
    {
      ownerKind: 'merchant',
      ownerId: order.merchantId,
      bucket: dueDay === undefined ? 'available' : 'pending',
      slot: dueDay ?? 0,
      amount: received - split.fee,
      spillsToDebt: true,
    },
    { ownerKind: 'platform', ownerId: 0n, bucket: 'revenue', amount: split.revenue },
  ];
  if (split.supplierCommission !== 0n) {
    legs.push({
      ownerKind: 'supplier',
      ownerId: order.supplierId!,
      bucket: 'commission',
      amount: split.supplierCommission,
      spillsToDebt: true,
    });
  }
  for (const { agentId, amount } of split.agents)
    legs.push({ ownerKind: 'supplier', ownerId: agentId, bucket: 'commission', amount, spillsToDebt: true });
  return {
    key: `collection/${order.id}`,
    kind: offset ? 'collectionOffset' : 'collection',
    orderId: order.id,
    currency: order.currency,
    legs,
    at,
  };
}

/** Whether the evidence itself states a reference. */
const isStated = ({ utr, isBare }: Completion): boolean => utr !== null && isBare !== true;

/** Frees account and amount of paid orders. They keep counting towards the day's limits. */
function release(
  tx: Tx,
  settled: readonly Completion[],
  waiting: ReadonlyMap<bigint, WaitingOrder>,
  at: Date,
): void {
  const waited = settled.filter(({ orderId }) => waiting.has(orderId));
  const rows = waited.map(({ orderId }) => waiting.get(orderId)!);
  changeLoad(
    tx,
    rows.map((row) => ({
      accountId: row.accountId,
      day: row.day,
      // A timed-out order ceased to wait and to count when it timed out.
      waiting: row.timedOut ? 0 : -1,
      waitingAmount: row.timedOut ? 0n : -row.payable,
      graceAmount: row.timedOut ? -row.payable : 0n,
      counted: row.timedOut ? 1 : 0,
      countedAmount: row.timedOut ? row.payable : 0n,
      paid: 1,
    })),
    null,
  );
  recountTerms(
    tx,
    rows.filter((row) => row.timedOut).flatMap((row) => termsCountsOf(row, 1)),
  );
  releasePaid(
    tx,
    waited.map((completion) => ({
      orderId: completion.orderId,
      received: completion.received,
      stated: isStated(completion),
      isTold: completion.by === 'message',
    })),
    at,
  );
}

/** Messages that were joined to completed orders afterwards: another wording of such a payment completes no other order. */
export function rememberJoined(
  tx: Tx,
  joined: readonly {
    readonly orderId: bigint;
    readonly accountId: bigint;
    /** Minor units. */
    readonly received: bigint;
    /** The message states a reference. */
    readonly stated: boolean;
  }[],
  at: Date,
): void {
  rememberPaid(
    tx,
    joined.map((each) => ({ ...each, awaitsMessage: false })),
    at,
  );
}
