import { readReference } from '@sangam/contract/references.ts';
import { isTopUpOf } from '../../order-numbers/claim.ts';
import { refFamily } from '../../order-numbers/references.ts';
import { empty, hot, type Sql, type Tx, sql } from '../../platform/db/database.ts';
import { ID_SLACK, firstIdAt } from '../../platform/db/ids.ts';
import { unnestRows } from '../../platform/db/unnest-rows.ts';
import { PAYMENTS_REMEMBERED } from '../../collection/waiting.ts';
import type { Platform } from '../../platform/platform.ts';
import { dropHolds } from '../trusted-chain/hold.ts';
import type { NewCredit } from './credit.ts';
import type { ReadMessage } from './read.ts';
import { isOpenToMessages, isWordingBeside, movedAtOf } from './reported-amounts.ts';
import { notifyTopUpWentBack, notifyWentBack, tellWentBack, type WentBack } from './went-back.ts';

/** Money that a bank gives back: a payment that it takes back from the account, and a transfer of the account that it returns. */

/** A bank's words for money that it gives back. A payer's payment carries them only by chance. */
const GIVEN_BACK =
  /(?<![A-Z])(?:REVERS(?:AL|ED)|REFUND(?:ED)?|RETURN(?:ED)?|RE-?CREDITED|CREDITED BACK)(?![A-Z])/i;

/** A debit that was just reported. Amounts in minor units. */
export interface NewDebit extends Pick<NewCredit, 'accountId' | 'amount' | 'currency' | 'text'> {
  readonly reference: string | null;
}

/** The debit of a message that was reported for the first time, on each account that it may belong to. */
export function debitsOf({ reported, parsed, fitting, verdict: { state } }: ReadMessage): NewDebit[] {
  if (parsed.outcome !== 'parsed' || parsed.direction !== 'debit' || state === 'duplicate') return [];
  const { amountMinor: amount, ref: reference = null } = parsed;
  return fitting.map(({ id, currency }) => ({
    accountId: id,
    amount,
    currency,
    text: reported.text,
    reference,
  }));
}

/** The numbers in a message. A reversal may have a number of its own, and name that of the payment in its text. */
export function numbersIn({ reference, text }: Pick<NewDebit, 'reference' | 'text'>): string[] {
  const stated = text.toUpperCase().match(/[A-Z0-9]{9,30}/g) ?? [];
  return [...new Set([reference, ...stated].flatMap((number) => readReference(number) ?? []))];
}

/**
 * The ids of the credits that are no payer's money: the bank says that it gives the money back; one number names the credit and a debit of
 * the account, or of one of several that the message does not tell apart, stored or reported with it (`debits`); or the text of such a debit
 * names the credit. What left came back then, or what came has left.
 */
export async function takenBack(
  tx: Tx,
  credits: readonly NewCredit[],
  debits: readonly NewDebit[],
  at: Date,
): Promise<ReadonlySet<bigint>> {
  // A rail that reports its credits itself reports no debits.
  const told = credits.filter(({ balanceMode }) => balanceMode !== null);
  if (told.length === 0) return new Set();
  const named = told.flatMap(({ messageId, accountId, monitorId, ...credit }) =>
    numbersIn(credit).map((utr) => ({
      messageId,
      accountId,
      monitorId,
      utr,
      isOwn: utr === credit.reference,
    })),
  );
  const stored =
    named.length === 0
      ? []
      : await tx.query<{ messageId: bigint }>(
          hot(
            'debits named by credits',
            sql`
    select v.message_id as "messageId"
    from ${unnestRows({ messageId: 'bigint', accountId: 'bigint', monitorId: 'bigint', utr: 'text', isOwn: 'boolean' }, named)}
    where exists (select from (${debitsThatName(at, sql`v.is_own and`)}) d)`,
          ),
        );
  const own = new Set(debits.map(({ accountId, reference }) => `${accountId} ${reference}`));
  const stated = new Set(
    debits.flatMap((debit) => numbersIn(debit).map((number) => `${debit.accountId} ${number}`)),
  );
  const besides = [
    ...named.filter(({ accountId, utr }) => own.has(`${accountId} ${utr}`)),
    ...told.filter(({ accountId, reference }) => stated.has(`${accountId} ${reference}`)),
  ];
  const said = told.filter(({ text }) => GIVEN_BACK.test(text));
  return new Set([...stored, ...besides, ...said].map(({ messageId }) => messageId));
}

/**
 * Applies debits that name a payment of their account: the bank has taken it back. If the payment is open or held, it becomes ambiguous and pays
 * nothing by itself. If it has paid an order, the admins are notified; they reverse the order. The account that got the money of an offset, or
 * of an order in the archive, is not known here, so the reference is enough. `gone`: stored credits of the same report that are no payer's money
 * (`takenBack`). Of a top-up they are notified if the account itself had the payment: the debit of a supplier's account may be the top-up's own
 * money on its way to us. Other wordings: `barWordings`. Returns the credits that were filed as repeats of such a payment.
 */
export async function applyTakingBack(
  platform: Platform,
  tx: Tx,
  debits: readonly NewDebit[],
  gone: readonly bigint[],
): Promise<readonly bigint[]> {
  const named = debits.flatMap((debit) =>
    numbersIn(debit).map((utr) => ({ ...debit, utr, family: refFamily(utr, debit.currency) })),
  );
  if (named.length === 0) {
    await barWordings(platform, tx, gone);
    return [];
  }
  const numbers = unnestRows(
    { accountId: 'bigint', currency: 'text', amount: 'bigint', utr: 'text', family: 'text' },
    named,
  );
  const open = await tx.query<{ id: bigint }>(
    hot(
      'credits that went back',
      sql`
    update messages c set state = 'ambiguous', reason = 'wentBack' from ${numbers}
    where c.utr = v.utr and c.account_id = v.account_id and c.direction = 'credit'
      and (${isOpenToMessages(sql`c`)} or c.state in ('held', 'untrusted'))
    returning c.id`,
    ),
  );
  await endWaits(
    tx,
    open.map(({ id }) => id),
  );
  const paid = await tx.query<WentBack & { readonly isTopUp: boolean }>(
    hot(
      'paid by money that went back',
      sql`
    select u.order_id as "orderId", v.currency, v.amount, v.utr, ${isTopUpOf(sql`u.order_id`)} as "isTopUp" from ${numbers}
    join utr_uses u on u.family = v.family and u.utr = v.utr
    left join collection_orders o on o.id = u.order_id
    where o.account_id = v.account_id
      or exists (select from postings p where p.key = 'collection/' || o.id and p.kind = 'collectionOffset')
      or exists (select from archived_orders a where a.order_id = u.order_id and a.direction = 'in')
      or exists (select from messages c where c.utr = v.utr and c.account_id = v.account_id and c.direction = 'credit')
        and ${isTopUpOf(sql`u.order_id`)}`,
    ),
  );
  const { topUps = [], orders = [] } = Object.groupBy(paid, ({ isTopUp }) => (isTopUp ? 'topUps' : 'orders'));
  await tellWentBack(platform, tx, orders, 'debit');
  for (const topUp of topUps) await notifyTopUpWentBack(platform, tx, topUp);
  const told = await tx.query<{ id: bigint; isRepeat: boolean }>(
    hot(
      'credits told of their return',
      sql`
    select c.id, c.state = 'duplicate' and c.reason is not distinct from 'sameMovement' as "isRepeat" from ${numbers} join messages c on c.utr = v.utr and c.account_id = v.account_id and c.direction = 'credit'`,
    ),
  );
  await barWordings(platform, tx, [...gone, ...told.map(({ id }) => id)]);
  return told.filter(({ isRepeat }) => isRepeat).map(({ id }) => id);
}

/**
 * Looks for other wordings of stored credits that are no payer's money. One that is held pays nothing by itself any more. Where one has
 * paid an order, the admins are notified.
 */
export async function barWordings(platform: Platform, tx: Tx, creditIds: readonly bigint[]): Promise<void> {
  if (creditIds.length === 0) return;
  await barHeldWordings(platform, tx, creditIds);
  const paid = await tx.query<WentBack>(sql`
    select distinct o.order_id as "orderId", m.currency, m.amount, coalesce(m.utr, o.utr) as utr
    from messages m join messages o on ${isWordingBeside(platform.clock.now())}
    where m.id = any(${creditIds}) and o.state = 'matched' and o.order_id is not null`);
  await tellWentBack(platform, tx, paid, 'credit');
}

/** Held wordings of stored credits that pay no order by themselves (given back, or of a listed payer) do not pay one either. */
export async function barHeldWordings(
  platform: Platform,
  tx: Tx,
  creditIds: readonly bigint[],
): Promise<void> {
  if (creditIds.length === 0) return;
  const held = await tx.query<{ id: bigint }>(sql`
    update messages o set state = 'ambiguous', reason = 'wordingSettled' from messages m
    where m.id = any(${creditIds}) and ${isWordingBeside(platform.clock.now())} and o.state in ('held', 'untrusted') returning o.id`);
  await endWaits(
    tx,
    held.map(({ id }) => id),
  );
}

/** Credits that pay nothing by themselves any more wait for neither their chain nor `MessageDelay`. */
export async function endWaits(tx: Tx, messageIds: readonly bigint[]): Promise<void> {
  if (messageIds.length === 0) return;
  await dropHolds(tx, messageIds);
  await tx.query(sql`delete from delayed_messages where message_id = any(${messageIds})`);
}

/** SQL: the text names the reference. A text may leave out the zeros before a number. */
const isInText = (text: Sql, utr: Sql) =>
  sql`${text} ~* ('(^|[^A-Z0-9])0*' || regexp_replace(${utr}, '^0+(?=[0-9]+$)', '') || '($|[^A-Z0-9])')`;

/** The ids of thirty days: a bank may give money back so long after the debit. A phone may report the two in the wrong order. */
const RETURNED_WITHIN = firstIdAt(new Date('2021-01-31')) - firstIdAt(new Date('2021-01-01'));

/** SQL: the credit fits several accounts of its phone (the index messages_unbound_credits). */
const isUnboundCredit = (credit: Sql): Sql =>
  sql`(${credit}.direction = 'credit' and ${credit}.account_id is null and ${credit}.state in ('ambiguous', 'settledOutside'))`;

/**
 * SQL: the account's bank reports the debit's number and sum as a credit too, or a credit of its sum under another number names it in its
 * text. A credit that fits several accounts of its phone counts for each of them. A credit of another sum is not its money. A credit that
 * completed an order is a payer's.
 */
export const hasComeBack = (debit: Sql): Sql => sql`(
  exists (select from messages c where c.utr = ${debit}.utr and c.account_id = ${debit}.account_id and c.direction = 'credit'
    and c.amount = ${debit}.amount)
  or exists (select from messages c where c.monitor_id = ${debit}.monitor_id and ${isUnboundCredit(sql`c`)} and c.amount = ${debit}.amount
    and c.id between ${debit}.id - ${RETURNED_WITHIN} and ${debit}.id + ${RETURNED_WITHIN}
    and (c.utr = ${debit}.utr or ${isInText(sql`c.text`, sql`${debit}.utr`)}))
  or exists (select from messages c where c.account_id = ${debit}.account_id and c.direction = 'credit' and c.amount = ${debit}.amount
    and c.state in ('unmatched', 'ambiguous', 'held', 'untrusted', 'settledOutside')
    and c.id between ${debit}.id - ${RETURNED_WITHIN} and ${debit}.id + ${RETURNED_WITHIN} and ${isInText(sql`c.text`, sql`${debit}.utr`)}))`;

/**
 * SQL: the same as `hasComeBack` by the number, but no credit of it counts that moved before the debit: the bank may have paid once more
 * under the number of a payment that had come back.
 */
export const hasComeBackSince = (debit: Sql): Sql => sql`exists (
  select from messages c where c.utr = ${debit}.utr and c.direction = 'credit' and c.amount = ${debit}.amount
    and (c.account_id = ${debit}.account_id or c.monitor_id = ${debit}.monitor_id and ${isUnboundCredit(sql`c`)})
    and ${movedAtOf(sql`c`)} >= ${movedAtOf(debit)})`;

/** SQL: a credit that completed nothing and that nobody was notified of as money of a payout that came back. */
export const mayBeReturn = (credit: Sql): Sql =>
  sql`(${credit}.direction = 'credit' and (${credit}.state = 'unmatched' and ${credit}.reason is distinct from 'reversed'
    or ${credit}.state = 'ambiguous' and (${credit}.reason = 'wentBack' or ${isUnboundReturn(credit)})))`;

/** SQL: the credit fits several accounts of its phone, and nobody was notified of it yet. */
const isUnboundReturn = (credit: Sql): Sql =>
  sql`(${isUnboundCredit(credit)} and ${credit}.reason = 'severalAccounts')`;

/** SQL: the credits of an account (alias) since this id that may be returns; also those that fit several accounts of its phone. */
export const returnsOn = (account: Sql, since: bigint): Sql => sql`
  select c.* from messages c where c.account_id = ${account}.id and c.id >= ${since} and ${mayBeReturn(sql`c`)}
  union all
  select c.* from messages c where c.monitor_id = ${account}.monitor_id and c.id >= ${since} and ${isUnboundReturn(sql`c`)}`;

/**
 * SQL: the debits that name the payment `v` (account_id, monitor_id, utr): the account's and those that fit several accounts of its phone
 * (the index messages_unbound_debits). They have its number; or their text names it, and they are open and of the last days. `andText`
 * limits the look at texts.
 */
export function debitsThatName(at: Date, andText: Sql = empty): Sql {
  const since = firstIdAt(new Date(at.getTime() - PAYMENTS_REMEMBERED)) - ID_SLACK;
  const isUnbound = sql`d.monitor_id = v.monitor_id and d.state = 'ambiguous' and d.reason = 'severalAccounts'`;
  const inText = sql`${andText} d.direction = 'debit' and d.id > ${since} and ${isInText(sql`d.text`, sql`v.utr`)}`;
  return sql`
    select d.* from messages d where d.utr = v.utr and d.direction = 'debit' and (d.account_id = v.account_id or ${isUnbound})
    union all select d.* from messages d where ${inText} and d.account_id = v.account_id and d.state = 'ignored' and d.order_id is null
    union all select d.* from messages d where ${inText} and ${isUnbound}`;
}

/**
 * The ids of the debits that name the account's payment (`debitsThatName`): the bank has taken the payment back, or the number is of
 * another transfer. Without an account: the debits of all accounts with this number.
 */
export async function debitsNaming(
  tx: Tx,
  accountId: bigint | null,
  utr: string,
  at: Date,
): Promise<readonly bigint[]> {
  const found = await tx.query<{ id: bigint }>(
    accountId === null
      ? sql`select id from messages where utr = ${utr} and direction = 'debit'`
      : hot(
          'debits naming a payment',
          sql`select distinct d.id
          from (select id as account_id, monitor_id, ${utr}::text as utr from accounts where id = ${accountId}) v
          cross join lateral (${debitsThatName(at)}) d`,
        ),
  );
  return found.map(({ id }) => id);
}

/** Marks a stored credit as money of a completed payout that may have come back, and notifies the admins, once. */
export async function noteReturn(
  platform: Platform,
  tx: Tx,
  messageId: bigint,
  money: WentBack,
): Promise<void> {
  const marked = await tx.query(sql`
    update messages m set state = 'ambiguous', reason = 'contradictsBooked' where id = ${messageId} and ${mayBeReturn(sql`m`)} returning 1`);
  if (marked.length > 0) await notifyWentBack(platform, tx, money);
}
