import type { LoadChange } from '../accounts/load.ts';
import { DAY, MINUTE, SECOND } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import type { TermsCount } from '../terms/products/terms-day.ts';

/** An order waiting for money on an account (timed-out ones until their grace ends). Minor units. */
export interface WaitingOrder {
  readonly orderId: bigint;
  /** Null on rows that are older than the daily limits of terms. */
  readonly merchantId: bigint | null;
  readonly productId: number | null;
  readonly accountId: bigint;
  readonly supplierId: bigint;
  readonly currency: string;
  readonly amount: bigint;
  readonly payable: bigint;
  /** Makes the row unique together with account and amount: 0, or the order's id where payers name their order. */
  readonly slot: bigint;
  readonly identifyCode: string;
  readonly payerUtr: string | null;
  readonly userName: string | null;
  /** The business day whose limits the order counts towards. */
  readonly day: string;
  readonly allocatedAt: Date;
  readonly expiresAt: Date;
  readonly releaseAt: Date;
  readonly timedOut: boolean;
  /** What the supplier's deposit holds for the order, in minor units; 0 where the deposit is charged at payment. */
  readonly held: bigint;
}

/** Banks print minutes, and clocks of devices and banks differ a little: a payment may seem to be this far outside the order's time. */
export const SLACK = 90 * SECOND;

/**
 * How long nobody else gets the amount of an ended order. Its message may still come, or come again in another wording. Without
 * a reference it would complete the next order of that amount.
 */
export const AMOUNT_COOLS = 2 * SLACK;

/**
 * How long after a payment a credit of the same amount may be the same payment in another wording. Banks send one message for
 * the transfer and one for its channel, with different references or without.
 */
export const SECOND_WORDING = 15 * MINUTE;

/** A transfer is reported when its block is solid, which takes 19 blocks of 3 s; and the chain is asked every few seconds. */
const SOLID_AFTER = 3 * MINUTE;

/**
 * When an unpaid order is released: at the end of its grace. An order on a chain waits at least until a payment made before its
 * timeout is solid.
 */
export function releaseTime(
  { expiresAt, currency }: Pick<WaitingOrder, 'expiresAt' | 'currency'>,
  graceMinutes: number,
): Date {
  const grace = graceMinutes * MINUTE;
  return new Date(expiresAt.getTime() + (currency === 'USDT' ? Math.max(grace, SOLID_AFTER) : grace));
}

/**
 * So long a credit without a reference counts as the message of the order of its sum that an operator completed without one, or as the
 * payment of an order that ended unpaid. Banks book NEFT in batches and name only the day; a phone may be off for hours.
 */
export const MESSAGE_TO_COME = DAY;

/**
 * So long an account remembers what an amount was paid by. A wording may name only the day, whose end is then up to a day after the first
 * report. A payer may type its UTR into an order that is made a day after that (`HOURS_BEFORE_ORDER`). With the longest settings this order
 * waits a day for its payment and has a day of grace.
 */
export const PAYMENTS_REMEMBERED = 5 * DAY;

/**
 * The amounts of one account. A resting amount was paid a moment ago by evidence with a reference. A second wording without a
 * reference may come, and would make a new order of this amount ambiguous. So any other amount is better.
 */
export type AccountAmounts = Map<bigint, 'taken' | 'resting'>;
/** By account. */
export type TakenAmounts = Map<bigint, AccountAmounts>;

/** Columns of a WaitingOrder, of table alias `w`. */
export const WAITING_COLUMNS = sql`
  w.order_id as "orderId", w.merchant_id as "merchantId", w.product_id as "productId", w.account_id as "accountId", w.supplier_id as "supplierId", w.currency, w.amount, w.payable,
  w.identify_code as "identifyCode", w.payer_utr as "payerUtr", w.user_name as "userName", w.day,
  w.allocated_at as "allocatedAt", w.expires_at as "expiresAt", w.release_at as "releaseAt", w.timed_out as "timedOut", w.held, w.slot`;

/** The change of load when an order ceases to wait, unpaid. */
export function unwaited(row: Pick<WaitingOrder, 'accountId' | 'day' | 'payable'>): LoadChange {
  return {
    accountId: row.accountId,
    day: row.day,
    waiting: -1,
    waitingAmount: -row.payable,
    counted: -1,
    countedAmount: -row.payable,
  };
}

/** The grace begins: the order no longer waits but can still be paid. */
export function beginsGrace(row: Pick<WaitingOrder, 'accountId' | 'day' | 'payable'>): LoadChange {
  return { ...unwaited(row), graceAmount: row.payable };
}

/** The grace ends unpaid. */
export function endsGrace({
  accountId,
  day,
  payable,
}: Pick<WaitingOrder, 'accountId' | 'day' | 'payable'>): LoadChange {
  return {
    accountId,
    day,
    waiting: 0,
    waitingAmount: 0n,
    graceAmount: -payable,
    counted: 0,
    countedAmount: 0n,
  };
}

/** What an order counts towards the daily limits of its merchant's and its supplier's terms, in this order. */
export function termsCountsOf(
  row: Pick<WaitingOrder, 'merchantId' | 'supplierId' | 'productId' | 'amount' | 'day'>,
  orders: 1 | -1,
): TermsCount[] {
  const { merchantId, supplierId, productId, day } = row;
  if (merchantId === null || productId === null) return [];
  const count = { productId, day, orders, amount: BigInt(orders) * row.amount };
  return [
    { ownerKind: 'merchant', ownerId: merchantId, ...count },
    { ownerKind: 'supplier', ownerId: supplierId, ...count },
  ];
}
