import { HOURS_BEFORE_ORDER } from '@sangam/contract/evidence.ts';
import type { Currency } from '@sangam/contract/money.ts';
import { type Tx, hot, sql } from '../../platform/db/database.ts';
import { HOUR } from '../../platform/clock.ts';
import { isNamedBy } from '../../order-numbers/references.ts';
import type { Platform } from '../../platform/platform.ts';
import { refuse, type Refusal } from '../../platform/refusal.ts';
import type { Evidence } from './credit.ts';
import { isOpenToMessages, movedAtOf } from './reported-amounts.ts';
import { insertMatches } from './store.ts';

export interface OpenCredit {
  readonly id: bigint;
  readonly amount: bigint;
  readonly balance: bigint | null;
  readonly currency: Currency;
  readonly payer: string | null;
  /** Why the message is open, if it says so. */
  readonly reason: string | null;
  readonly text: string;
  readonly utr: string | null;
  /**
   * When the money moved: the bank's time if it names the minute, the end of the day if it names only the day, otherwise the time when the
   * device got the message. Never later than that time.
   */
  readonly movedAt: Date;
}

const COLUMNS = sql`id, amount, balance, currency, payer, reason, text, utr, ${movedAtOf(sql`messages`)} as "movedAt"`;

/** SQL on table `messages`: an operator may join the credit. A credit that is held for a frozen order waits for that order. */
export const OPEN_TO_OPERATORS = sql`(state in ('unmatched', 'ambiguous', 'untrusted') or state = 'held' and reason = 'chain')`;

/** Whether a credit is too old for an order that was allocated at that moment: it may have been refunded since. */
export function isTooOld(credit: Pick<OpenCredit, 'movedAt' | 'currency'>, allocatedAt: Date): boolean {
  return credit.movedAt.getTime() < allocatedAt.getTime() - HOURS_BEFORE_ORDER[credit.currency] * HOUR;
}

/**
 * Locks the account's stored credit with this reference that found no order. Undefined unless there is exactly one. An operator may also
 * take a credit that the chain does not corroborate (yet), that may be a matched or settled payment in another wording, or whose order was
 * reversed. Evidence may not: that money may be gone again.
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

/**
 * The reference of the USDT transfer that an operator means, who may state only the id of its transaction. Transfers to the order's account go
 * before those to other accounts, the open ones before the others, the first before the later ones. Refused if each has paid already (1204),
 * or if several later ones are open (409). A transfer that is not stored yet is meant by what was stated.
 */
export async function transferMeant(
  tx: Tx,
  accountId: bigint | null,
  stated: string,
): Promise<string | Refusal> {
  const found = await tx.query<{ utr: string; isHere: boolean; isOpen: boolean }>(sql`
    select utr, account_id is not distinct from ${accountId} as "isHere", ${OPEN_TO_OPERATORS} as "isOpen" from messages
    where currency = 'USDT' and direction = 'credit' and ${isNamedBy(sql`utr`, stated)}`);
  if (found.length === 0) return stated;
  const here = found.filter(({ isHere }) => isHere);
  const open = (here.length > 0 ? here : found).filter(({ isOpen }) => isOpen).map(({ utr }) => utr);
  if (open.includes(stated)) return stated;
  if (open.length > 1) return refuse('conflict', {}, { reason: 'severalTransfers' });
  return open[0] ?? refuse('utrUsed');
}

/** Locks the account's stored credit with this id. Undefined if there is none that an operator may still join to an order. */
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
 * Parts an order from the message that completed it, and returns the message's id. An operator may join the message to another order: for a
 * credit the money is there. It joins no order by itself.
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
