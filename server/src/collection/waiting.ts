import type { LoadChange } from '../accounts/load.ts';
import { DAY, MINUTE, SECOND } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import type { TermsCount } from '../terms/products/terms-day.ts';

/** An order waiting for money on an account (timed-out ones until their grace ends). Minor units. */
export interface WaitingOrder {
  readonly orderId: bigint;
  /** Null on rows of before there were daily limits of terms. */
  readonly merchantId: bigint | null;
  readonly productId: number | null;
  readonly accountId: bigint;
  readonly supplierId: bigint;
  readonly currency: string;
  readonly amount: bigint;
  readonly payable: bigint;
  /** Beside account and amount what makes it unique: 0, or the order itself where payers name it. */
  readonly slot: bigint;
  readonly identifyCode: string;
  readonly payerUtr: string | null;
  readonly userName: string | null;
  /** Business day whose limits it counts towards. */
  readonly day: string;
  readonly allocatedAt: Date;
  readonly expiresAt: Date;
  readonly releaseAt: Date;
  readonly timedOut: boolean;
  /** What the supplier's deposit holds for it, minor units; 0 where the deposit is charged when the order is paid. */
  readonly held: bigint;
}

/** Banks print minutes, and clocks of devices and banks differ a little: so far outside of its time a payment may seem to be. */
export const SLACK = 90 * SECOND;

/**
 * So long nobody else waits for an amount whose order has ended: its message may still come, or come again in another wording,
 * state no reference, and would complete the next order of the amount.
 */
export const AMOUNT_COOLS = 2 * SLACK;

/**
 * So long after an amount was paid a credit of it may be the same payment in another wording: banks send one for the transfer
 * and one for its channel, with different references or none.
 */
export const SECOND_WORDING = 15 * MINUTE;

/** A transfer is told of once its block is solid: 19 blocks of 3 s later, and the chain is asked every few seconds. */
const SOLID_AFTER = 3 * MINUTE;

/**
 * When an order is released that nobody pays: at the end of its grace. One of a chain waits at least until what was paid before its
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
 * So long an amount is remembered whose payment's message has not come: of an order that an operator completed without it, of one
 * that ended unpaid, and of one that was paid by a wording with a reference while one without may follow. Banks book NEFT in batches and name the day only; a phone may be off for hours.
 */
export const MESSAGE_TO_COME = DAY;

/**
 * So long an account remembers what an amount was paid by. A wording may name a day that is nearly over when its order is made, that order
 * may be made a day after the money moved (`HOURS_BEFORE_ORDER`), and it waits for hours.
 */
export const PAYMENTS_REMEMBERED = 3 * DAY;

/**
 * Of an account. A resting amount was paid a moment ago by evidence with a reference: a second wording without one may come, which would leave
 * an order of it to people, so any other amount is better.
 */
export type AccountAmounts = Map<bigint, 'taken' | 'resting'>;
/** By account. */
export type TakenAmounts = Map<bigint, AccountAmounts>;

/** Columns of a WaitingOrder, of table alias `w`. */
export const WAITING_COLUMNS = sql`
  w.order_id as "orderId", w.merchant_id as "merchantId", w.product_id as "productId", w.account_id as "accountId", w.supplier_id as "supplierId", w.currency, w.amount, w.payable,
  w.identify_code as "identifyCode", w.payer_utr as "payerUtr", w.user_name as "userName", w.day,
  w.allocated_at as "allocatedAt", w.expires_at as "expiresAt", w.release_at as "releaseAt", w.timed_out as "timedOut", w.held, w.slot`;

/** The load change of an order that ceases to wait unpaid. */
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

/** Its grace time begins: it waits no more, but can still be paid. */
export function beginsGrace(row: Pick<WaitingOrder, 'accountId' | 'day' | 'payable'>): LoadChange {
  return { ...unwaited(row), graceAmount: row.payable };
}

/** Its grace time ends unpaid. */
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

/** An order's count towards the daily limits of its merchant's and its supplier's terms, in this order. */
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
