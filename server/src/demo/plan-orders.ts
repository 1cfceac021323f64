import { COLLECTION_STATUS, ORDER_MARK, type OrderMark } from '@sangam/contract/orders.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../platform/clock.ts';
import { newIdentifyCode } from '../collection/identify-code.ts';
import type { CollectionOrder } from '../collection/order.ts';
import type { IdMaker } from '../platform/db/ids.ts';
import { splitFee, type Split } from '../ledger/fees.ts';
import { printsReference } from './bank-text.ts';
import { bustleAt, failedShare, type Incidents, isDeaf, paidFactor, SHARED_ADDRESS } from './incidents.ts';
import { planDelivery, type Delivery } from './plan-delivery.ts';
import { makePayers, type Payer } from './payers.ts';
import type { Random } from './random.ts';
import { sampleTimes } from './rhythm.ts';
import { termsOf, type World, type WorldAccount, type WorldMerchant } from './world.ts';

const ORDER_TIMEOUT = 15 * MINUTE;
const GRACE = 30 * MINUTE;
/** Orders older than this have reached their final state. */
const SETTLED_AFTER = 50 * MINUTE;
const RUPEE = 100n;

const PAYER_COUNT = 900;
const SHARES = {
  paid: 0.735,
  allocationFailed: 0.03,
  latePaid: 0.015,
  supplemented: 0.022,
  marked: 0.012,
  reversed: 0.004,
  atSharedAddress: 0.015,
} as const;

/** Each product, its weight among the orders, its median amount in rupees and the spread of amounts. */
const PRODUCT_MIX = [
  { productId: 1010, weight: 62, median: 950, spread: 2.3 },
  { productId: 1012, weight: 11, median: 4_200, spread: 2.2 },
  { productId: 1001, weight: 8, median: 2_600, spread: 2 },
  { productId: 1021, weight: 13, median: 700, spread: 2.1 },
  { productId: 1023, weight: 6, median: 640, spread: 2.1 },
] as const;

const SUBJECTS: Readonly<Record<string, readonly string[]>> = {
  CB: ['Groceries', 'Mobile accessories', 'Kurta set', 'Kitchen ware', 'Festival hamper'],
  TL: ['Course fee', 'Test series', 'Monthly plan', 'Study material'],
  NT: ['Bus ticket', 'Hotel night', 'Airport transfer', 'Weekend tour'],
  SJ: ['Silver ring', 'Gift voucher', 'Earrings', 'Instalment'],
};

/** How an order of the past was paid. */
export interface Payment {
  readonly by: 'message' | 'supplement';
  readonly offset: boolean;
  /** When the payer's bank moved the money. */
  readonly movedAt: Date;
  /** The bank's text shows it only where that bank prints references. */
  readonly reference: string;
  readonly messageId: bigint;
  /** When the order timed out before the payment, if it did. */
  readonly timedOutAt: Date | null;
}

export interface PastOrder {
  /** The order as it is today. */
  readonly order: CollectionOrder;
  readonly merchant: WorldMerchant;
  readonly account: WorldAccount | undefined;
  readonly callerIp: string;
  readonly payment: Payment | undefined;
  readonly split: Split | undefined;
  readonly delivery: Delivery | undefined;
  readonly timedOutAt: Date | undefined;
  /** When two people reversed the order. The order's own row gets this when the reversal is executed. */
  readonly reversedAt: Date | undefined;
  readonly marked: { readonly mark: OrderMark; readonly at: Date; readonly reason: string } | undefined;
}

/** Orders of the past, oldest first, with everything that happened to each. */
export function planOrders(
  ids: IdMaker,
  world: World,
  span: { readonly count: number; readonly from: Date; readonly to: Date },
  incidents: Incidents,
  random: Random,
): PastOrder[] {
  const payers = makePayers(PAYER_COUNT, random);
  const planner = {
    ids,
    world,
    random,
    payables: createPayables(),
    lastUsed: new Map<bigint, number>(),
    incidents,
    now: span.to,
  };
  const usual = sampleTimes(span.count, span.from, span.to, random, (at) => bustleAt(incidents, at));
  const arrivals = [
    ...usual.map((at) => {
      const payer = payerOf(payers, random);
      return { at, payer: random.chance(SHARES.atSharedAddress) ? { ...payer, ip: SHARED_ADDRESS } : payer };
    }),
    ...burstsWithin(incidents, span, payers, random),
  ].sort((a, b) => a.at.getTime() - b.at.getTime());
  return arrivals.map(({ at, payer }, index) => planOrder(planner, at, index, payer));
}

interface Planner {
  readonly ids: IdMaker;
  readonly world: World;
  readonly random: Random;
  readonly payables: Payables;
  /** When each account was last given an order, ms. */
  readonly lastUsed: Map<bigint, number>;
  readonly incidents: Incidents;
  readonly now: Date;
}

/** Bursts: many names at one client address. */
function burstsWithin(
  { bursts }: Incidents,
  { from, to }: { readonly from: Date; readonly to: Date },
  payers: readonly Payer[],
  random: Random,
): { at: Date; payer: Payer }[] {
  return bursts
    .filter((burst) => burst.from >= from && burst.until <= to)
    .flatMap((burst) =>
      Array.from({ length: burst.orders }, () => ({
        at: new Date(random.int(burst.from.getTime(), burst.until.getTime())),
        payer: { ...random.pick(payers), ip: burst.ip },
      })),
    );
}

/** A few payers come back often. */
function payerOf(payers: readonly Payer[], random: Random): Payer {
  return payers[Math.floor(random.next() ** 2.2 * payers.length)]!;
}

/** The account that allocation gives among accounts of the same weight. So the what-if analysis finds the past days as they were. */
function longestUnused(
  accounts: readonly WorldAccount[],
  lastUsed: ReadonlyMap<bigint, number>,
): WorldAccount | undefined {
  const usedAt = ({ id }: WorldAccount) => lastUsed.get(id) ?? 0;
  return accounts.reduce<WorldAccount | undefined>(
    (best, each) => (best && usedAt(best) <= usedAt(each) ? best : each),
    undefined,
  );
}

function planOrder(
  { ids, world, random, payables, lastUsed, incidents, now }: Planner,
  createdAt: Date,
  index: number,
  payer: Payer,
): PastOrder {
  const merchant = random.weighted(world.merchants.map((each) => [each, each.weight] as const));
  const mix = random.weighted(PRODUCT_MIX.map((each) => [each, each.weight] as const));
  const amount = amountOf(mix, random);
  const terms = termsOf(mix.productId);
  const failed = random.chance(failedShare(incidents, createdAt, SHARES.allocationFailed));
  const accounts = world.accounts.filter((account) => account.products.includes(mix.productId));
  const account = failed ? undefined : longestUnused(accounts, lastUsed);
  if (account) lastUsed.set(account.id, createdAt.getTime());
  const payment = planPayment({ random, ids, now, incidents }, { createdAt, account, index, ip: payer.ip });
  const paidAt =
    payment &&
    new Date(payment.movedAt.getTime() + (payment.by === 'message' ? random.int(2, 11) * SECOND : 0));
  const timedOutAt =
    payment?.timedOutAt ?? (account && !payment ? new Date(createdAt.getTime() + ORDER_TIMEOUT) : undefined);
  const payable = account
    ? payables.take(
        account,
        amount,
        createdAt,
        paidAt ?? new Date(createdAt.getTime() + ORDER_TIMEOUT + GRACE),
      )
    : null;
  const received = payment ? (payable ?? amount) : null;
  const split =
    received === null
      ? undefined
      : splitFee(
          received,
          terms.merchant,
          account ? terms.supplier : null,
          account?.agentId ? [{ agentId: account.agentId, terms: terms.agent }] : [],
        );
  const delivery =
    paidAt && planDelivery(ids, paidAt, now, random, isDeaf(incidents, merchant.account, paidAt));
  const marked = planMark(createdAt, now, random);
  const order: CollectionOrder = {
    id: ids.next(createdAt),
    merchantId: merchant.id,
    mchOrderNo: `${merchant.prefix}${formatTime(createdAt).slice(2, 10).replaceAll('-', '')}${String(index).padStart(6, '0')}`,
    productId: mix.productId,
    currency: 'INR',
    amount,
    payable,
    received,
    status: delivery?.status ?? (account ? COLLECTION_STATUS.timedOut : COLLECTION_STATUS.allocationFailed),
    supplementStatus: payment?.by === 'supplement' ? 1 : 0,
    mark: marked?.mark ?? ORDER_MARK.ordinary,
    supplierId: account?.supplierId ?? null,
    accountId: account?.id ?? null,
    identifyCode: newIdentifyCode(),
    clientIp: payer.ip,
    userName: random.chance(0.4) ? payer.name : null,
    payerUtr: null,
    utr:
      payment && (payment.by === 'supplement' || printsReference(account!.bank)) ? payment.reference : null,
    notifyUrl: merchant.notifyUrl,
    returnUrl: null,
    subject: random.pick(SUBJECTS[merchant.prefix]!),
    body: null,
    param1: random.chance(0.3) ? `cart-${random.digits(6)}` : null,
    param2: null,
    merchantRatePpm: terms.merchant.ratePpm,
    merchantFixedFee: terms.merchant.fixedFee,
    fee: split?.fee ?? null,
    supplierCommission: split?.supplierCommission ?? null,
    agentCommission: split?.agentCommission ?? null,
    allocatedAt: account ? createdAt : null,
    expiresAt: account ? new Date(createdAt.getTime() + ORDER_TIMEOUT) : null,
    paidAt: paidAt ?? null,
    reversedAt: null,
    frozen: false,
    legalHold: false,
    createdAt,
  };
  const callerIp = merchant.prefix === 'CB' ? '203.0.113.20' : '198.51.100.44';
  const reversedAt = payment?.by === 'message' && !marked ? planReversal(delivery!, now, random) : undefined;
  return { order, merchant, account, callerIp, payment, split, delivery, timedOutAt, reversedAt, marked };
}

const ROUND = [100, 150, 200, 250, 300, 500, 750, 1_000, 1_500, 2_000, 2_500, 3_000, 5_000, 10_000];

function amountOf(mix: (typeof PRODUCT_MIX)[number], random: Random): bigint {
  const drawn = Math.min(Math.max(random.logNormal(mix.median, mix.spread), 100), 45_000);
  const least = mix.productId === 1010 || mix.productId === 1021 || mix.productId === 1023 ? 100 : 500;
  const nearest = ROUND.reduce((best, each) =>
    Math.abs(each - drawn) < Math.abs(best - drawn) ? each : best,
  );
  const rupees = random.chance(0.45) && nearest >= least ? nearest : Math.max(Math.round(drawn), least);
  return BigInt(rupees) * RUPEE;
}

/** When and how an order was paid. Undefined when it was never paid. */
function planPayment(
  { random, ids, now, incidents }: Pick<Planner, 'random' | 'ids' | 'now' | 'incidents'>,
  order: {
    readonly createdAt: Date;
    readonly account: WorldAccount | undefined;
    readonly index: number;
    readonly ip: string;
  },
): Payment | undefined {
  const { createdAt, account, index, ip } = order;
  const age = now.getTime() - createdAt.getTime();
  const expiry = new Date(createdAt.getTime() + ORDER_TIMEOUT);
  const paid = (by: Payment['by'], movedAt: Date, timedOutAt: Date | null = null): Payment => ({
    by,
    offset: !account,
    movedAt,
    reference: referenceAt(movedAt, 'order', index),
    messageId: ids.next(movedAt),
    timedOutAt,
  });
  if (!account) {
    // Money that came although no account was shown: completed by hand, against suspense.
    const supplemented = age > 4 * HOUR && random.chance(0.05);
    return supplemented
      ? paid('supplement', new Date(createdAt.getTime() + random.int(40, 200) * MINUTE))
      : undefined;
  }
  const share =
    (SHARES.paid / (1 - SHARES.allocationFailed)) * paidFactor(incidents, account.bank, createdAt, ip);
  if (age > SETTLED_AFTER && !random.chance(share)) {
    const late = random.next();
    if (late < SHARES.latePaid * 4)
      return paid('message', new Date(expiry.getTime() + random.int(1, 25) * MINUTE), expiry);
    if (late < (SHARES.latePaid + SHARES.supplemented) * 4 && age > 4 * HOUR) {
      return paid('supplement', new Date(expiry.getTime() + random.int(5, 170) * MINUTE), expiry);
    }
    return undefined;
  }
  const wait = Math.min(Math.max(random.logNormal(95, 1.9), 18), 13 * 60);
  const movedAt =
    createdAt.getTime() + Math.floor(Math.min(wait * SECOND, Math.max(age - 20 * SECOND, age / 2)));
  return paid('message', new Date(movedAt));
}

/** The serials of each kind of movement: the first, and how many. They are the lower half; the simulators use the upper half. */
const SERIALS = {
  order: [0, 400_000],
  payout: [400_000, 50_000],
  sweep: [450_000, 30_000],
  stray: [480_000, 20_000],
} as const;

/** A retrieval reference of UPI and IMPS: year digit, day of the year, hour, six digits. Unique by `index` within an hour. */
export function referenceAt(moment: Date, kind: keyof typeof SERIALS, index: number): string {
  const local = formatTime(moment);
  const year = Number(local.slice(0, 4));
  const dayOfYear =
    Math.floor((Date.parse(`${local.slice(0, 10)}T00:00:00Z`) - Date.UTC(year, 0, 1)) / (24 * HOUR)) + 1;
  const [first, count] = SERIALS[kind];
  const serial = first + ((index * 37) % count);
  return `${year % 10}${String(dayOfYear).padStart(3, '0')}${local.slice(11, 13)}${String(serial).padStart(6, '0')}`;
}

const MARKS = [
  { mark: ORDER_MARK.suspicious, reason: 'Several orders of one payer within minutes', weight: 5 },
  { mark: ORDER_MARK.test, reason: 'Integration test of the merchant', weight: 3 },
  { mark: ORDER_MARK.fillIn, reason: 'Filled in after a lost message', weight: 2 },
  { mark: ORDER_MARK.malicious, reason: 'Payer disputes the transfer', weight: 1 },
] as const;

function planMark(createdAt: Date, now: Date, random: Random): PastOrder['marked'] {
  if (!random.chance(SHARES.marked) || now.getTime() - createdAt.getTime() < 40 * HOUR) return undefined;
  const { mark, reason } = random.weighted(MARKS.map((each) => [each, each.weight] as const));
  return { mark, reason, at: new Date(createdAt.getTime() + random.int(12 * 60, 39 * 60) * MINUTE) };
}

/** When the money of a notified order was reversed. Undefined when it was not. */
function planReversal({ status, endedAt }: Delivery, now: Date, random: Random): Date | undefined {
  const isOld = now.getTime() - endedAt.getTime() > 3 * DAY;
  if (status !== COLLECTION_STATUS.callbackSucceeded || !isOld || !random.chance(SHARES.reversed))
    return undefined;
  return new Date(endedAt.getTime() + random.int(60, 40 * 60) * MINUTE);
}

/** Payable amounts as allocation gives them: the smallest amount that no other order waits for on the account at that moment. */
interface Payables {
  take(account: WorldAccount, amount: bigint, from: Date, until: Date): bigint;
}

function createPayables(): Payables {
  const held = new Map<string, Map<bigint, number>>();
  return {
    take(account, amount, from, until) {
      const key = `${account.id}/${amount}`;
      const busy = held.get(key) ?? new Map<bigint, number>();
      held.set(key, busy);
      let payable = amount;
      while ((busy.get(payable) ?? 0) > from.getTime()) payable += 1n;
      busy.set(payable, until.getTime());
      return payable;
    },
  };
}
