import { HOURS_BEFORE_ORDER } from '@sangam/contract/evidence.ts';
import type { Currency } from '@sangam/contract/money.ts';
import { type Tx, hot, sql } from '../../platform/db/database.ts';
import { HOUR } from '../../platform/clock.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Evidence } from './credit.ts';
import { isOpenToMessages, movedAtOf } from './reported-amounts.ts';
import { insertMatches } from './store.ts';

export interface OpenCredit {
  readonly id: bigint;
  readonly amount: bigint;
  readonly balance: bigint | null;
  readonly currency: Currency;
  readonly payer: string | null;
  readonly text: string;
  readonly utr: string | null;
  /** The bank's time where it names the minute; where it names the day, that day's end; else when the device got the message. */
  readonly movedAt: Date;
}

const COLUMNS = sql`id, amount, balance, currency, payer, text, utr, ${movedAtOf(sql`messages`)} as "movedAt"`;

/** SQL: an operator may take the credit (table `messages`); one held for a frozen order waits for that order. */
export const OPEN_TO_OPERATORS = sql`(state in ('unmatched', 'ambiguous', 'untrusted') or state = 'held' and reason = 'chain')`;

/** Whether a credit is too old for an order that was placed on the account at that moment: it may have been refunded since. */
export function isTooOld(credit: Pick<OpenCredit, 'movedAt' | 'currency'>, allocatedAt: Date): boolean {
  return credit.movedAt.getTime() < allocatedAt.getTime() - HOURS_BEFORE_ORDER[credit.currency] * HOUR;
}

/**
 * The account's stored credit with this reference that found no order; locked. Undefined unless exactly one. An operator's word
 * may also take one that the chain does not bear out, or not yet, that may be a payment matched or settled in another wording, or whose order
 * was taken back: that money may be gone again.
 */
export async function lockOpenCredit(
  tx: Tx,
  accountId: bigint,
  reference: string,
  by: 'message' | 'operator',
): Promise<OpenCredit | undefined> {
  const rows = await tx.query<OpenCredit>(
    hot(
      'open credit',
      sql`
    select ${COLUMNS} from messages
    where utr = ${reference} and account_id = ${accountId} and direction = 'credit'
      and (${isOpenToMessages(sql`messages`)} or ${by} = 'operator' and ${OPEN_TO_OPERATORS})
    order by id for update`,
    ),
  );
  return rows.length === 1 ? rows[0] : undefined;
}

/** The account's stored credit with this id that an operator may still join to an order, locked; undefined when it is none. */
export async function lockCredit(
  tx: Tx,
  accountId: bigint,
  messageId: bigint,
): Promise<OpenCredit | undefined> {
  const [credit] = await tx.query<OpenCredit>(sql`
    select ${COLUMNS} from messages
    where id = ${messageId} and account_id = ${accountId} and direction = 'credit' and ${OPEN_TO_OPERATORS} for update`);
  return credit;
}

/** Joins a stored message to the order it completed. */
export async function joinMessage(
  platform: Platform,
  tx: Tx,
  messageId: bigint,
  orderId: bigint,
  evidence: Evidence | 'supplement' | 'payoutUtr' | 'payoutAmount',
): Promise<void> {
  await tx.query(
    sql`update messages set state = 'matched', reason = null, order_id = ${orderId} where id = ${messageId}`,
  );
  insertMatches(tx, [{ orderId, messageId, evidence }], platform.clock.now());
}

/**
 * Parts an order from the message that completed it: the money is there, and may be matched anew; a debit joins another
 * payout only by the desk's word. Returns the message.
 */
export async function partMessage(tx: Tx, orderId: bigint): Promise<bigint | null> {
  const [match] = await tx.query<{ messageId: bigint }>(sql`
    delete from message_matches where order_id = ${orderId} returning message_id as "messageId"`);
  if (!match) return null;
  await tx.query(sql`
    update messages set state = case direction when 'debit' then 'ignored' else 'unmatched' end, reason = 'reversed', order_id = null
    where id = ${match.messageId}`);
  return match.messageId;
}
