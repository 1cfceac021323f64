import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import { businessDay } from '@sangam/contract/time.ts';
import { DAY, HOUR, MINUTE } from '../platform/clock.ts';
import { postingOf } from '../collection/complete.ts';
import type { IdMaker } from '../platform/db/ids.ts';
import type { PostingRequest } from '../ledger/post.ts';
import { bankDaysAfter, dayNumber } from '../treasury/settlement/due-day.ts';
import type { Incidents } from './incidents.ts';
import { makePayers } from './payers.ts';
import type { PastOrder } from './plan-orders.ts';
import { type PastPayout, payoutPosting, planPayout } from './plan-payouts.ts';
import type { Random } from './random.ts';
import { sampleTimes } from './rhythm.ts';
import type { World, WorldSupplier } from './world.ts';

const RUPEE = 100n;
const FIRST_DEPOSIT = 60_00_000n * RUPEE;
const TOP_UP = 25_00_000n * RUPEE;
/** A supplier tops up its deposit before it falls below LEAST_DEPOSIT. The last top-up leaves room for a day's orders. */
const LEAST_DEPOSIT = 15_00_000n * RUPEE;
const LAST_DEPOSIT = 60_00_000n * RUPEE;

/** What moves money: a posting, or a command that posts. */
export type Movement =
  | { readonly by: 'posting'; readonly posting: PostingRequest }
  | { readonly by: 'settlement'; readonly at: Date }
  | { readonly by: 'reversal'; readonly order: PastOrder; readonly at: Date };

export interface PastMoney {
  readonly payouts: readonly PastPayout[];
  /** In the order they happened, so that balances continue. */
  readonly movements: readonly Movement[];
}

type Step = { readonly at: Date } & (
  | { readonly kind: 'credit'; readonly order: PastOrder }
  | { readonly kind: 'reverse'; readonly order: PastOrder }
  | { readonly kind: 'wish'; readonly index: number }
  | { readonly kind: 'finish'; readonly payout: PastPayout }
  | { readonly kind: 'settle' }
);

/**
 * Plans all money movements of the past, with balances as the ledger will have them. Orders are credited and some are reversed, merchants
 * are settled and pay out of what they have, suppliers top up in time. So no posting of the plan is refused.
 */
export function planMoney(
  ids: IdMaker,
  world: World,
  orders: readonly PastOrder[],
  span: {
    readonly payouts: number;
    readonly from: Date;
    readonly to: Date;
    readonly holidays: ReadonlySet<string>;
    readonly incidents: Incidents;
  },
  random: Random,
): PastMoney {
  const payees = makePayers(400, random);
  const admin = world.userIds.get('admin')!;
  const deposits = new Map(world.suppliers.map(({ id }) => [id, 0n]));
  const merchants = createBalances(world);
  const payouts: PastPayout[] = [];
  const movements: Movement[] = [];
  const post = (posting: PostingRequest) => void movements.push({ by: 'posting', posting });

  const topUp = (supplier: WorldSupplier, amount: bigint, at: Date): void => {
    deposits.set(supplier.id, deposits.get(supplier.id)! + amount);
    post({
      key: `topUp/${ids.next(at)}`,
      kind: 'topUp',
      orderId: null,
      currency: 'INR',
      legs: [
        { ownerKind: 'platform', ownerId: 0n, bucket: 'external', amount: -amount },
        { ownerKind: 'supplier', ownerId: supplier.id, bucket: 'deposit', amount },
      ],
      reason: 'Deposit received by bank transfer',
      userId: admin,
      at,
    });
  };
  for (const supplier of world.suppliers) topUp(supplier, FIRST_DEPOSIT, span.from);

  const dueDayOf = ({ merchant, order }: PastOrder): number | undefined =>
    merchant.settlementDays === undefined
      ? undefined
      : bankDaysAfter(dayNumber(businessDay(order.paidAt!)), merchant.settlementDays, span.holidays);

  const credit = (past: PastOrder): void => {
    const { order, payment, split, account } = past;
    const supplier = world.suppliers.find(({ id }) => id === account?.supplierId);
    const at = order.paidAt!;
    if (supplier && deposits.get(supplier.id)! - order.received! < LEAST_DEPOSIT) topUp(supplier, TOP_UP, at);
    const dueDay = dueDayOf(past);
    post(postingOf(order, split!, payment!.offset, at, { dueDay }));
    if (supplier) deposits.set(supplier.id, deposits.get(supplier.id)! - order.received!);
    merchants.credit(order.merchantId, order.received! - split!.fee, dueDay);
  };

  const reverse = (past: PastOrder, at: Date): void => {
    const { order, split, account } = past;
    movements.push({ by: 'reversal', order: past, at });
    if (account) deposits.set(account.supplierId, deposits.get(account.supplierId)! + order.received!);
    merchants.takeBack(order.merchantId, order.received! - split!.fee, dueDayOf(past));
  };

  const settle = (at: Date): void => {
    movements.push({ by: 'settlement', at });
    merchants.settle(dayNumber(businessDay(at)));
  };

  const request = (index: number, at: Date): PastPayout | undefined => {
    const merchant = random.weighted(world.merchants.map((each) => [each, each.weight] as const));
    const wanted = BigInt(Math.round(Math.min(Math.max(random.logNormal(3_800, 2.1), 300), 150_000))) * RUPEE;
    const affordable = (merchants.availableOf(merchant.id) / 3n / RUPEE) * RUPEE;
    const amount = wanted < affordable ? wanted : affordable;
    if (amount < 200n * RUPEE) return undefined;
    const payout = planPayout(
      { ids, world, random, payee: random.pick(payees), now: span.to, incidents: span.incidents },
      merchant,
      amount,
      index,
      at,
    );
    merchants.credit(merchant.id, -(payout.amount + payout.split.fee));
    payouts.push(payout);
    post(payoutPosting(payout, 'payoutCreated', at));
    return payout;
  };

  const finish = (payout: PastPayout): void => {
    const completed = payout.status === PAYOUT_STATUS.completed;
    post(payoutPosting(payout, completed ? 'payoutCompleted' : 'payoutReturned', payout.finishedAt));
    if (completed) {
      const { supplierId } = payout.account!;
      deposits.set(supplierId, deposits.get(supplierId)! + payout.amount);
    } else {
      merchants.credit(payout.merchant.id, payout.amount + payout.split.fee);
    }
  };

  const steps = createQueue<Step>([
    ...orders.flatMap((order): Step[] =>
      order.order.paidAt ? [{ at: order.order.paidAt, kind: 'credit', order }] : [],
    ),
    ...orders.flatMap((order): Step[] =>
      order.reversedAt ? [{ at: order.reversedAt, kind: 'reverse', order }] : [],
    ),
    ...midnights(span).map((at): Step => ({ at, kind: 'settle' })),
    ...sampleTimes(
      span.payouts,
      new Date(span.from.getTime() + 6 * HOUR),
      new Date(span.to.getTime() - 50 * MINUTE),
      random,
    ).map((at, index): Step => ({ at, kind: 'wish', index })),
  ]);
  for (let step = steps.next(); step; step = steps.next()) {
    if (step.kind === 'credit') credit(step.order);
    else if (step.kind === 'reverse') reverse(step.order, step.at);
    else if (step.kind === 'settle') settle(step.at);
    else if (step.kind === 'finish') finish(step.payout);
    else {
      const payout = request(step.index, step.at);
      if (payout) steps.add({ at: payout.finishedAt, kind: 'finish', payout });
    }
  }
  for (const supplier of world.suppliers) {
    const missing = LAST_DEPOSIT - deposits.get(supplier.id)!;
    // After the last credit, so that balances continue in time.
    if (missing > 0n) topUp(supplier, missing, new Date(span.to.getTime() + MINUTE / 2));
  }
  return { payouts, movements };
}

/** One minute past midnight in Asia/Kolkata, for every day. */
function midnights({ from, to }: { readonly from: Date; readonly to: Date }): Date[] {
  const first = Date.parse(`${businessDay(from)}T00:01:00+05:30`) + DAY;
  const count = Math.max(0, Math.ceil((to.getTime() - first) / DAY));
  return Array.from({ length: count }, (_, day) => new Date(first + day * DAY));
}

/** The merchants' balances, as the ledger will have them. A debt is a balance below zero. */
function createBalances(world: World) {
  const available = new Map(world.merchants.map(({ id }) => [id, 0n]));
  const pending = new Map<string, { readonly merchantId: bigint; readonly dueDay: number; amount: bigint }>();
  const add = (merchantId: bigint, amount: bigint) =>
    available.set(merchantId, available.get(merchantId)! + amount);
  const credit = (merchantId: bigint, amount: bigint, dueDay?: number): void => {
    if (dueDay === undefined) return void add(merchantId, amount);
    const key = `${merchantId}/${dueDay}`;
    const due = pending.get(key) ?? { merchantId, dueDay, amount: 0n };
    due.amount += amount;
    pending.set(key, due);
  };
  return {
    availableOf: (merchantId: bigint) => available.get(merchantId)!,
    credit,
    /** Takes the amount from where it waits, or from where it was settled to. */
    takeBack(merchantId: bigint, amount: bigint, dueDay?: number): void {
      const waits = dueDay !== undefined && pending.has(`${merchantId}/${dueDay}`);
      credit(merchantId, -amount, waits ? dueDay : undefined);
    },
    settle(today: number): void {
      for (const [key, { merchantId, dueDay, amount }] of pending) {
        if (dueDay > today) continue;
        add(merchantId, amount);
        pending.delete(key);
      }
    },
  };
}

/** Steps in order of time. A step that is added later lies after the current one. */
function createQueue<Item extends { readonly at: Date }>(initial: readonly Item[]) {
  const byTime = (a: Item, b: Item) => a.at.getTime() - b.at.getTime();
  const planned = initial.toSorted(byTime);
  const added: Item[] = [];
  let index = 0;
  return {
    add(item: Item): void {
      added.push(item);
      added.sort(byTime);
    },
    next(): Item | undefined {
      const [first] = added;
      const following = planned[index];
      if (first && (!following || first.at <= following.at)) return added.shift();
      index += 1;
      return following;
    },
  };
}
