import type { SourceDimension } from '@sangam/contract/order-source.ts';
import { CURRENCIES, type Currency } from '@sangam/contract/money.ts';
import { COLLECTION_STATUS, ORDER_MARK } from '@sangam/contract/orders.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { networkOf } from './address.ts';
import type { Device } from './device.ts';

/** An order as the sums count it: a row of order_sources. Amounts in minor units. */
export interface Source {
  readonly orderId: bigint;
  readonly day: string;
  readonly hour: number;
  readonly merchantId: bigint;
  readonly currency: string;
  readonly amount: bigint;
  readonly received: bigint | null;
  readonly referrer: string;
  readonly device: string;
  readonly network: string;
  readonly band: bigint;
  readonly bank: string;
  readonly reached: number;
  readonly test: boolean;
}

/** What an order's rows say about it now. */
export interface SourceFacts {
  readonly orderId: bigint;
  readonly merchantId: bigint;
  readonly currency: Currency;
  readonly amount: bigint;
  readonly received: bigint | null;
  readonly status: number;
  readonly mark: number;
  readonly clientIp: string | null;
  readonly told: boolean;
  readonly createdAt: Date;
  readonly bank: string | null;
  readonly accountId: bigint | null;
  readonly userName: string | null;
  readonly opened: boolean;
  readonly seen: boolean;
  readonly referrer: string | null;
  readonly device: Device | null;
}

/** No page was opened: the merchant shows the account itself, or the payer never came. */
export const NOT_OPENED = 'notOpened';
/** The payer's browser did not say which page it came from. */
export const NO_REFERRER = 'none';

/** The order as it counts now. A step once reached stays: an order that was paid and then reversed counts as paid. */
export function sourceOf(facts: SourceFacts, before: Source | undefined): Source {
  const time = formatTime(facts.createdAt);
  return {
    orderId: facts.orderId,
    day: time.slice(0, 10),
    hour: Number(time.slice(11, 13)),
    merchantId: facts.merchantId,
    currency: facts.currency,
    amount: facts.amount,
    received: facts.received,
    referrer: facts.opened ? (facts.referrer ?? NO_REFERRER) : NOT_OPENED,
    device: facts.device ?? NOT_OPENED,
    network: networkOf(facts.clientIp),
    band: bandOf(facts.amount, facts.currency),
    bank: facts.bank ?? '',
    reached: Math.max(before?.reached ?? 0, reachedBy(facts)),
    test: facts.mark === ORDER_MARK.test,
  };
}

function reachedBy({ status, received, told, seen, opened }: SourceFacts): number {
  if (status === COLLECTION_STATUS.callbackSucceeded) return 5;
  if (received !== null) return 4;
  if (told) return 3;
  if (seen) return 2;
  return opened ? 1 : 0;
}

/** The lower bound of an amount's band: the largest of 1, 2, 5, 10, 20, 50 … units that is not above the amount. 0 below one unit. */
export function bandOf(amount: bigint, currency: Currency): bigint {
  const unit = 10n ** BigInt(CURRENCIES[currency]);
  if (amount < unit) return 0n;
  const decade = unit * 10n ** BigInt((amount / unit).toString().length - 1);
  for (const step of [5n, 2n]) if (amount >= step * decade) return step * decade;
  return decade;
}

export interface SourceSum {
  readonly day: string;
  readonly dimension: SourceDimension;
  readonly value: string;
  readonly merchantId: bigint;
  readonly currency: string;
  /** For each step: the orders that reached at least this step. */
  readonly reached: number[];
  amount: bigint;
  paidAmount: bigint;
}

const PAID_STEP = 4;

/** How the sums change when orders that counted as `before` now count as `after`. */
export function sumChanges(
  pairs: readonly { readonly before: Source | undefined; readonly after: Source }[],
): SourceSum[] {
  const sums = new Map<string, SourceSum>();
  /** Adds `sign` to each of the order's sums, at the steps from `first` to the step that the order reached. */
  const add = (source: Source, sign: 1 | -1, first: number, amount: bigint, paidAmount: bigint): void => {
    const { day, merchantId, currency } = source;
    const prefix = `${day}/${merchantId}/${currency}/`;
    for (const [dimension, value] of dimensionsOf(source)) {
      const key = `${prefix}${dimension}/${value}`;
      let sum = sums.get(key);
      if (!sum) {
        const nothing = { reached: [0, 0, 0, 0, 0, 0], amount: 0n, paidAmount: 0n };
        sums.set(key, (sum = { day, dimension, value, merchantId, currency, ...nothing }));
      }
      for (let step = first; step <= source.reached; step += 1) sum.reached[step]! += sign;
      sum.amount += amount;
      sum.paidAmount += paidAmount;
    }
  };
  for (const { before, after } of pairs) {
    if (before && isFurther(before, after))
      add(after, 1, before.reached + 1, 0n, paidBy(after) - paidBy(before));
    else {
      if (before && !before.test) add(before, -1, 0, -before.amount, -paidBy(before));
      if (!after.test) add(after, 1, 0, after.amount, paidBy(after));
    }
  }
  return [...sums.values()].filter(
    ({ reached, amount, paidAmount }) =>
      amount !== 0n || paidAmount !== 0n || reached.some((count) => count !== 0),
  );
}

const paidBy = ({ reached, received }: Source): bigint => (reached >= PAID_STEP ? (received ?? 0n) : 0n);

/** Whether an order only moved to a later step, as most do, and still counts in the same sums. */
function isFurther(before: Source, after: Source): boolean {
  return (
    !before.test &&
    !after.test &&
    before.amount === after.amount &&
    before.day === after.day &&
    before.bank === after.bank &&
    before.referrer === after.referrer &&
    before.device === after.device &&
    before.network === after.network
  );
}

function dimensionsOf(source: Source): [SourceDimension, string][] {
  return [
    ['hour', String(source.hour).padStart(2, '0')],
    ['referrer', source.referrer],
    ['device', source.device],
    ['network', source.network],
    ['band', String(source.band)],
    ['bank', source.bank],
  ];
}
