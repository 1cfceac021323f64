import { hasComeBack } from '../evidence/matching/taken-back.ts';
import { movedAtOf } from '../evidence/matching/reported-amounts.ts';
import { MINUTE, SECOND } from '../platform/clock.ts';
import { hot, type Sql, type Tx, sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { evidenceFor, type StatedMovement, type Stater } from '../evidence/trusted-chain/statements.ts';
import type { PayoutOrder } from './order.ts';

/** SQL: the stored message (alias `m`) is a debit that is joined to no payout. */
const IS_FREE: Sql = sql`m.direction = 'debit' and m.state = 'ignored' and m.order_id is null`;
/** SQL: the same, and it was never joined to a payout that was reversed. Its money may have come back. */
export const UNJOINED: Sql = sql`(${IS_FREE} and m.reason is distinct from 'reversed')`;
/** SQL: the debit is joined to no payout, and its money has not come back. */
const UNJOINED_DEBIT: Sql = sql`(${IS_FREE} and not ${hasComeBack(sql`m`)})`;
/** SQL: the same, and the debit was never joined to a payout that was reversed. */
export const OPEN_DEBIT: Sql = sql`(${UNJOINED_DEBIT} and m.reason is distinct from 'reversed')`;

/** SQL: a debit is joined to the payout with this alias. */
export const hasItsDebit = (payout: Sql): Sql =>
  sql`exists (select from message_matches x where x.order_id = ${payout}.id)`;

/**
 * SQL: the bank's reference of a transfer belongs to another payout: to one that was reversed, or to a row of a bank's file, whatever
 * has become of that row. A debit with this reference says nothing of the payout `orderId`.
 */
export function isOfAnother(utr: Sql, orderId: Sql): Sql {
  return sql`(
    exists (select from payout_orders x where x.utr = ${utr} and x.reversed_at is not null and x.id <> ${orderId})
    or exists (select from payout_batch_orders x where x.bank_reference = ${utr} and x.order_id <> ${orderId}))`;
}

/** The clock of a monitoring device may be this far from ours. */
const CLOCK_SLACK = 5 * MINUTE;

/** SQL: money that moved at `movedAt` (see `movedAtOf`) may have moved after the moment, by a clock that is behind. */
export const movedAfter = (movedAt: Sql, moment: Sql): Sql =>
  sql`${moment} <= ${movedAt} + make_interval(secs => ${CLOCK_SLACK / SECOND})`;

/** SQL: the same money may have moved before the moment, by a clock that is ahead or a message without a time that came late. */
export const movedBefore = (movedAt: Sql, moment: Sql): Sql =>
  sql`${moment} >= ${movedAt} - make_interval(secs => ${CLOCK_SLACK / SECOND})`;

/** SQL: the earliest moment a payout can have been paid: its claim, else the first file of its account that holds it, else its creation. */
export const payableSince = (
  id: Sql,
  claimedAt: Sql,
  accountId: Sql,
  createdAt: Sql,
): Sql => sql`coalesce(${claimedAt}, (
  select min(b.exported_at) from payout_batch_orders i join payout_batches b on b.id = i.batch_id
  where i.order_id = ${id} and i.in_file and b.account_id = ${accountId}), ${createdAt})`;

/**
 * Locks the stored debit that pays this payout: it has this reference, the payout's amount and currency, is joined to no payout, and moved
 * since the payout could be paid. It is of the paying account where that is known, else of any account of the supplier. Undefined unless
 * there is exactly one; always undefined for a payout without a supplier. The desk (`isDesk`) decides for which payout a debit is: it may
 * also take a debit that was another payout's before that was reversed, or whose reference belongs to another payout.
 */
export async function lockDebit(
  tx: Tx,
  order: Pick<
    PayoutOrder,
    'id' | 'supplierId' | 'accountId' | 'currency' | 'amount' | 'claimedAt' | 'createdAt'
  >,
  reference: string | null,
  { isDesk = false } = {},
): Promise<StatedMovement | undefined> {
  const { id, supplierId, accountId, currency, amount, claimedAt, createdAt } = order;
  if (supplierId === null || reference === null) return undefined;
  const own = sql`${OPEN_DEBIT} and not ${isOfAnother(sql`m.utr`, sql`${id}::bigint`)}`;
  const [claimed, made] = [sql`${claimedAt}::timestamptz`, sql`${createdAt}::timestamptz`];
  const since = payableSince(sql`${id}::bigint`, claimed, sql`${accountId}::bigint`, made);
  const lock = sql`
    select m.id, m.account_id as "accountId", m.balance from messages m
    where m.utr = ${reference} and m.supplier_id = ${supplierId} and m.amount = ${amount} and m.currency = ${currency}
      and (${accountId}::bigint is null or m.account_id = ${accountId})
      and ${movedAfter(movedAtOf(sql`m`), since)}
      and ${isDesk ? UNJOINED_DEBIT : own}
    order by m.id for update`;
  // Planning it takes 8 ms, running it 0.3.
  const [debit, another] = await tx.query<Pick<StatedMovement, 'id' | 'accountId' | 'balance'>>(
    hot(isDesk ? 'lock a debit for the desk' : 'lock a debit', lock),
  );
  return debit && !another ? { ...debit, currency, amount, direction: 'debit' } : undefined;
}

/** A payout that somebody says was paid, and the reference that was named. */
export interface SaidPaid {
  readonly order: PayoutOrder;
  readonly utr: string | null;
}

/** Locks the debit of each payout (see `lockDebit`) that counts as evidence for this stater; by payout id. */
export async function lockProofs(
  platform: Platform,
  tx: Tx,
  stater: Stater,
  said: readonly SaidPaid[],
  options: { readonly isDesk?: boolean } = {},
): Promise<Map<bigint, StatedMovement>> {
  const debits = new Map<bigint, StatedMovement>();
  for (const { order, utr } of said) {
    const debit = await lockDebit(tx, order, utr, options);
    if (debit) debits.set(order.id, debit);
  }
  const counted = await evidenceFor(platform, tx, stater, [...debits.values()]);
  return new Map([...debits].filter(([, { id }]) => counted.has(id)));
}

/** Locks a stored debit that is joined to no payout; undefined when it has been joined meanwhile. */
export async function lockOpenDebit(tx: Tx, messageId: bigint): Promise<{ utr: string | null } | undefined> {
  const [message] = await tx.query<{ utr: string | null }>(sql`
    select m.utr from messages m where m.id = ${messageId} and ${OPEN_DEBIT} for update`);
  return message;
}
