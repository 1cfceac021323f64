import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { HOUR, MINUTE, SECOND } from '../platform/clock.ts';
import { postingOf } from '../collection/complete.ts';
import type { IdMaker } from '../platform/db/ids.ts';
import { splitFee, type Split } from '../ledger/fees.ts';
import type { Leg, PostingRequest } from '../ledger/post.ts';
import { makePayers } from './payers.ts';
import { referenceAt, type PastOrder } from './plan-orders.ts';
import type { Random } from './random.ts';
import { sampleTimes } from './rhythm.ts';
import { termsOf, type World, type WorldAccount, type WorldMerchant, type WorldSupplier } from './world.ts';

const PRODUCT = 2001;
const RUPEE = 100n;
const FIRST_DEPOSIT = 60_00_000n * RUPEE;
const TOP_UP = 25_00_000n * RUPEE;
/** A supplier tops its deposit up before it falls below this; the last one leaves room for a day's orders. */
const LEAST_DEPOSIT = 15_00_000n * RUPEE;
const LAST_DEPOSIT = 60_00_000n * RUPEE;

const PAYEE_BANKS = [
  'HDFC0000240',
  'SBIN0005943',
  'ICIC0000104',
  'UTIB0000005',
  'PUNB0112000',
  'KKBK0000958',
  'BARB0INDELX',
];

export interface PastPayout {
  readonly id: bigint;
  readonly merchant: WorldMerchant;
  readonly mchOrderNo: string;
  readonly amount: bigint;
  readonly split: Split;
  readonly status: 3 | 4 | 6;
  readonly account: WorldAccount | undefined;
  readonly payee: { readonly name: string; readonly account: string; readonly ifsc: string };
  readonly reference: string | null;
  readonly createdAt: Date;
  readonly claimedAt: Date | null;
  readonly finishedAt: Date;
}

export interface PastMoney {
  readonly payouts: readonly PastPayout[];
  /** In the order they happened, so that balances run on. */
  readonly postings: readonly PostingRequest[];
}

type Step = { readonly at: Date } & (
  | { readonly kind: 'credit'; readonly order: PastOrder }
  | { readonly kind: 'wish'; readonly index: number }
  | { readonly kind: 'finish'; readonly payout: PastPayout }
);

/**
 * Walks through the month keeping balances as the ledger will: orders are credited, merchants pay out of what they have,
 * suppliers top up before their deposit runs low. What comes out posts without a single refusal.
 */
export function planMoney(
  ids: IdMaker,
  world: World,
  orders: readonly PastOrder[],
  span: { readonly payouts: number; readonly from: Date; readonly to: Date },
  random: Random,
): PastMoney {
  const payees = makePayers(400, random);
  const admin = world.userIds.get('admin')!;
  const deposits = new Map(world.suppliers.map(({ id }) => [id, 0n]));
  const available = new Map(world.merchants.map(({ id }) => [id, 0n]));
  const payouts: PastPayout[] = [];
  const postings: PostingRequest[] = [];

  const topUp = (supplier: WorldSupplier, amount: bigint, at: Date): void => {
    deposits.set(supplier.id, deposits.get(supplier.id)! + amount);
    postings.push({
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

  const credit = ({ order, payment, split, account }: PastOrder): void => {
    const supplier = world.suppliers.find(({ id }) => id === account?.supplierId);
    const at = order.paidAt!;
    if (supplier && deposits.get(supplier.id)! - order.received! < LEAST_DEPOSIT) topUp(supplier, TOP_UP, at);
    postings.push(postingOf(order, split!, payment!.offset, at));
    if (supplier) deposits.set(supplier.id, deposits.get(supplier.id)! - order.received!);
    available.set(order.merchantId, available.get(order.merchantId)! + order.received! - split!.fee);
  };

  const request = (index: number, at: Date): PastPayout | undefined => {
    const merchant = random.weighted(world.merchants.map((each) => [each, each.weight] as const));
    const wanted = BigInt(Math.round(Math.min(Math.max(random.logNormal(3_800, 2.1), 300), 150_000))) * RUPEE;
    const affordable = (available.get(merchant.id)! / 3n / RUPEE) * RUPEE;
    const amount = wanted < affordable ? wanted : affordable;
    if (amount < 200n * RUPEE) return undefined;
    const payout = planPayout(
      { ids, world, random, payee: random.pick(payees) },
      merchant,
      amount,
      index,
      at,
    );
    const held = payout.amount + payout.split.fee;
    available.set(merchant.id, available.get(merchant.id)! - held);
    payouts.push(payout);
    postings.push(payoutPosting(payout, 'payoutCreated', at));
    return payout;
  };

  const finish = (payout: PastPayout): void => {
    const completed = payout.status === PAYOUT_STATUS.completed;
    postings.push(payoutPosting(payout, completed ? 'payoutCompleted' : 'payoutReturned', payout.finishedAt));
    if (completed) {
      const { supplierId } = payout.account!;
      deposits.set(supplierId, deposits.get(supplierId)! + payout.amount);
    } else {
      const held = payout.amount + payout.split.fee;
      available.set(payout.merchant.id, available.get(payout.merchant.id)! + held);
    }
  };

  const steps = createQueue<Step>([
    ...orders.flatMap((order): Step[] =>
      order.order.paidAt ? [{ at: order.order.paidAt, kind: 'credit', order }] : [],
    ),
    ...sampleTimes(
      span.payouts,
      new Date(span.from.getTime() + 6 * HOUR),
      new Date(span.to.getTime() - 50 * MINUTE),
      random,
    ).map((at, index): Step => ({ at, kind: 'wish', index })),
  ]);
  for (let step = steps.next(); step; step = steps.next()) {
    if (step.kind === 'credit') credit(step.order);
    else if (step.kind === 'finish') finish(step.payout);
    else {
      const payout = request(step.index, step.at);
      if (payout) steps.add({ at: payout.finishedAt, kind: 'finish', payout });
    }
  }
  for (const supplier of world.suppliers) {
    const missing = LAST_DEPOSIT - deposits.get(supplier.id)!;
    // After the last credit, so that balances run on in time.
    if (missing > 0n) topUp(supplier, missing, new Date(span.to.getTime() + MINUTE / 2));
  }
  return { payouts, postings };
}

interface PayoutPlanner {
  readonly ids: IdMaker;
  readonly world: World;
  readonly random: Random;
  readonly payee: { readonly name: string };
}

function planPayout(
  { ids, world, random, payee }: PayoutPlanner,
  merchant: WorldMerchant,
  amount: bigint,
  index: number,
  createdAt: Date,
): PastPayout {
  const status = random.weighted([
    [PAYOUT_STATUS.completed, 90],
    [PAYOUT_STATUS.cancelled, 3],
    [PAYOUT_STATUS.rejected, 7],
  ] as const);
  const later = (from: Date, low: number, high: number) =>
    new Date(from.getTime() + random.int(low, high) * SECOND);
  const claimedAt = status === PAYOUT_STATUS.completed ? later(createdAt, 20, 600) : null;
  const finishedAt = claimedAt ? later(claimedAt, 60, 1_500) : later(createdAt, 120, 2_400);
  const account = claimedAt ? random.pick(world.accounts) : undefined;
  const terms = termsOf(PRODUCT);
  return {
    id: ids.next(createdAt),
    merchant,
    mchOrderNo: `${merchant.prefix}W${formatTime(createdAt).slice(2, 10).replaceAll('-', '')}${String(index).padStart(6, '0')}`,
    amount,
    split: splitFee(
      amount,
      terms.merchant,
      account ? terms.supplier : null,
      account?.agentId ? [{ agentId: account.agentId, terms: terms.agent }] : [],
    ),
    status,
    account,
    payee: {
      name: payee.name,
      account: `${random.int(1, 9)}${random.digits(10)}`,
      ifsc: random.pick(PAYEE_BANKS),
    },
    // Behind the serials of the orders, whose numbers it shares.
    reference: claimedAt ? referenceAt(finishedAt, 400_000 + index) : null,
    createdAt,
    claimedAt,
    finishedAt,
  };
}

function payoutPosting(
  payout: PastPayout,
  kind: 'payoutCreated' | 'payoutCompleted' | 'payoutReturned',
  at: Date,
): PostingRequest {
  const { merchant, amount, split, account } = payout;
  const held = amount + split.fee;
  const merchantLeg = (bucket: 'available' | 'frozen', change: bigint): Leg => ({
    ownerKind: 'merchant',
    ownerId: merchant.id,
    bucket,
    amount: change,
  });
  const base = { key: `payout/${payout.id}/${kind}`, kind, orderId: payout.id, currency: 'INR', at } as const;
  if (kind === 'payoutCreated')
    return { ...base, legs: [merchantLeg('available', -held), merchantLeg('frozen', held)] };
  if (kind === 'payoutReturned')
    return { ...base, legs: [merchantLeg('frozen', -held), merchantLeg('available', held)] };
  const supplier = (bucket: 'deposit' | 'commission', ownerId: bigint, change: bigint): Leg => ({
    ownerKind: 'supplier',
    ownerId,
    bucket,
    amount: change,
  });
  const { supplierId } = account!;
  return {
    ...base,
    legs: [
      merchantLeg('frozen', -held),
      supplier('deposit', supplierId, amount),
      supplier('commission', supplierId, split.supplierCommission),
      ...split.agents.map((each) => supplier('commission', each.agentId, each.amount)),
      { ownerKind: 'platform', ownerId: 0n, bucket: 'revenue', amount: split.revenue },
    ],
  };
}

/** Steps in order of time; those added later lie ahead of the one being taken. */
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
