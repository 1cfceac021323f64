import { type EndedAmount, endedAmounts, type PaidAmount } from '../../collection/matchable.ts';
import { PAYMENTS_REMEMBERED, SECOND_WORDING, SLACK } from '../../collection/waiting.ts';
import { SECOND } from '../../platform/clock.ts';
import { ID_SLACK, firstIdAt } from '../../platform/db/ids.ts';
import { type Sql, type Tx, hot, join, sql } from '../../platform/db/database.ts';
import { unnestRows } from '../../platform/db/unnest-rows.ts';
import type { MessageState } from './message.ts';

/** When credits of an amount were last reported: without a reference (`bareAt`) and with one (`statedAt`). */
export interface Told {
  readonly bareAt?: Moment;
  readonly statedAt?: Moment;
}

/** What became of an account's credits of one amount within the last days (`PAYMENTS_REMEMBERED`). */
export interface RememberedAmount {
  /** Credits that completed an order or wait for their chain. */
  readonly paid?: Told;
  /** Credits that an operator decides about. */
  readonly open?: Told;
  /** Credits that pay no order by themselves, whatever names one: settled outside the platform, given back, or of a listed payer. */
  readonly barred?: Told;
  /**
   * One of the credits states no reference, and the same balance as the credit that is decided or none. Only looked up for a credit with a
   * balance, but without minute and reference.
   */
  readonly hasNoOtherBalance?: boolean;
  /** The order of this amount that ended last. */
  readonly ended?: EndedAmount | undefined;
}

/** When an account's credits of an amount that completed nothing so far were last reported. */
interface ReportedAmount extends PaidAmount {
  readonly heldBareAt: Date | null;
  readonly heldStatedAt: Date | null;
  readonly openBareAt: Date | null;
  readonly openStatedAt: Date | null;
  readonly barredBareAt: Date | null;
  readonly barredStatedAt: Date | null;
}

/** SQL: whether two strings of digits may belong to one account number. Banks show the end of the number, or nothing. */
export const endAlike = (one: Sql, other: Sql) =>
  sql`coalesce(right(${one}, length(${other})) = ${other} or right(${other}, length(${one})) = ${one}, true)`;

/** SQL: a credit without a reference that counts as another wording of an earlier one. Later credits are compared with the earlier one. */
const IS_SECOND = sql`(m.utr is null and m.reason is not null and m.reason in ('amountJustMatched', 'amountJustReported'))`;

/**
 * Finds the account's credits of these amounts from the last day that completed nothing so far. A credit that is reported now may be one of
 * them in another wording. `except`: the messages that are matched now.
 */
function reportedAmounts(
  tx: Tx,
  amounts: readonly PaidAmount[],
  except: readonly bigint[],
  at: Date,
): Promise<ReportedAmount[]> {
  const since = new Date(at.getTime() - PAYMENTS_REMEMBERED);
  const last = (which: Sql, isStated: Sql) =>
    sql`max(m.reported_at) filter (where ${which} and m.utr is ${isStated})`;
  const barred = sql`(m.state = 'settledOutside' or coalesce(m.reason, '') in ('wentBack', 'payerListed'))`;
  const held = sql`m.state in ('held', 'untrusted')`;
  const open = sql`m.state in ('unmatched', 'ambiguous') and not ${barred}`;
  const [bare, stated] = [sql`null`, sql`not null`];
  return tx.query(
    hot(
      'reported amounts',
      sql`
    select v.account_id as "accountId", v.amount,
      ${last(held, bare)} as "heldBareAt", ${last(held, stated)} as "heldStatedAt",
      ${last(open, bare)} as "openBareAt", ${last(open, stated)} as "openStatedAt",
      ${last(barred, bare)} as "barredBareAt", ${last(barred, stated)} as "barredStatedAt"
    from (select distinct * from ${unnestRows({ accountId: 'bigint', amount: 'bigint' }, amounts)}) v
    cross join lateral (
      select o.* from messages o where o.account_id = v.account_id and o.amount = v.amount
      union all
      select o.* from accounts a join messages o on o.account_id is null and o.amount = v.amount and o.state = 'settledOutside'
        and o.monitor_id = a.monitor_id and o.currency = a.currency and ${endAlike(sql`a.account_number`, sql`o.account_tail`)}
      where a.id = v.account_id
    ) m
    where m.direction = 'credit' and m.state in ('unmatched', 'ambiguous', 'held', 'untrusted', 'settledOutside')
      and m.reason is distinct from 'delay' and not ${IS_SECOND} and m.id > ${firstIdAt(since) - ID_SLACK} and m.reported_at > ${since}
      and m.id <> all(${except})
    group by 1, 2`,
    ),
  );
}

/** SQL: the message names no minute, so it may be any payment of its day. */
const isVague = (m: Sql) => sql`coalesce(${m}.time_precision, 'none') not in ('second', 'minute')`;

/** SQL: a stored credit is open, and evidence that comes later may still complete an order with it. */
export const isOpenToMessages = (m: Sql) => sql`(${m}.state in ('unmatched', 'ambiguous')
  and coalesce(${m}.reason, '') not in ('reversed', 'wentBack', 'payerListed', 'amountJustMatched', 'wordingSettled'))`;

const ON_ITS_ACCOUNT = sql`o.account_id = m.account_id`;
/** SQL: one of the two credits belongs to no account. It may lie on any account of its phone whose number has its digits. */
const PERHAPS_ON_ITS_ACCOUNT = [
  sql`o.account_id is null and ${isOfItsPhone()}`,
  sql`m.account_id is null and o.account_id in (select a.id from accounts a where a.monitor_id = m.monitor_id) and ${isOfItsPhone()}`,
];

function isOfItsPhone(): Sql {
  const digitsOf = (m: Sql) =>
    sql`coalesce((select a.account_number from accounts a where a.id = ${m}.account_id), ${m}.account_tail)`;
  return sql`o.monitor_id = m.monitor_id and o.currency = m.currency and ${endAlike(digitsOf(sql`o`), digitsOf(sql`m`))}`;
}

/** SQL: when the money of a stored message moved (`movedAt` of `OpenCredit`). */
export function movedAtOf(m: Sql): Sql {
  return sql`case when ${m}.time_precision in ('second', 'minute') then least(${m}.bank_time, ${m}.received_at)
    else least(${m}.received_at, ${m}.bank_time + interval '1 day') end`;
}

/** SQL: whether credit `o` may be credit `m` in another wording. `decide` has the same rule for the credit that comes later. */
function isOtherWording(at: Date): Sql {
  const span = firstIdAt(at) - firstIdAt(new Date(at.getTime() - PAYMENTS_REMEMBERED)) + ID_SLACK;
  const slack = sql`make_interval(secs => ${SLACK / SECOND})`;
  const isAgain = (later: Sql, first: Sql) =>
    sql`(${movedAtOf(later)} <= ${first}.reported_at + ${slack}
      or ${isVague(later)} and ${movedAtOf(later)} <= ${first}.reported_at + interval '1 day' + ${slack}
        and (num_nulls(o.utr, m.utr) = 1 or coalesce(o.balance = m.balance, true)))`;
  return sql`o.amount = m.amount and o.id between m.id - ${span} and m.id + ${span}
    and o.id <> m.id and o.direction = 'credit' and (o.utr is null or m.utr is null) and o.reason is distinct from 'delay'
    and (abs(extract(epoch from o.reported_at - m.reported_at)) * 1000 <= ${SECOND_WORDING}
      or case when o.reported_at > m.reported_at then ${isAgain(sql`o`, sql`m`)} else ${isAgain(sql`m`, sql`o`)} end)`;
}

/** SQL: credit `o` lies on the account of credit `m`, and may be that credit in another wording. */
export const isWordingBeside = (at: Date): Sql => sql`${ON_ITS_ACCOUNT} and ${isOtherWording(at)}`;

/**
 * SQL on table `messages`: the credit completed an order, was parted from a reversed order, went back, was settled outside the platform, or
 * is of a listed payer. Nobody alone completes an order with it, or with another wording of it.
 */
export const IS_SPENT = sql`(state in ('matched', 'settledOutside') or coalesce(reason, '') in ('reversed', 'wentBack', 'payerListed'))`;

/** Locks the credits that may be this one in another wording. */
export function lockOtherWordings(
  tx: Tx,
  messageId: bigint,
  at: Date,
): Promise<{ readonly id: bigint; readonly state: MessageState; readonly isSpent: boolean }[]> {
  const found = [ON_ITS_ACCOUNT, ...PERHAPS_ON_ITS_ACCOUNT].map(
    (place) => sql`
      select o.id from messages m join messages o on ${place} and ${isOtherWording(at)} where m.id = ${messageId}`,
  );
  return tx.query(
    hot(
      'lock other wordings',
      sql`
    select id, state, ${IS_SPENT} as "isSpent" from messages
    where id in (${join(found, ' union all ')}) and state in ('matched', 'unmatched', 'ambiguous', 'held', 'untrusted', 'settledOutside')
    order by id for update`,
    ),
  );
}

/**
 * Call it for stored credits that have just completed orders. Open credits that may be one of them in another wording become ambiguous.
 * Where people joined the credit (`byPeople`), credits that are held for an order become ambiguous too: beside a held one, the joined
 * credit would have completed nothing by itself.
 */
export function closeOtherWordings(
  tx: Tx,
  messageIds: readonly bigint[],
  byPeople: readonly bigint[],
  at: Date,
): void {
  tx.send(
    hot(
      'close other wordings',
      sql`
    update messages o set state = 'ambiguous', reason = 'amountJustMatched' from messages m
    where m.id = any(${messageIds}) and m.direction = 'credit' and ${ON_ITS_ACCOUNT} and ${isOtherWording(at)}
      and (${isOpenToMessages(sql`o`)} or o.state in ('held', 'untrusted') and m.id = any(${byPeople}))`,
    ),
  );
}

/** What is remembered of these amounts, by `amountKey`. `except`: the messages that are matched now. */
export async function rememberedAmounts(
  tx: Tx,
  amounts: readonly PaidAmount[],
  except: readonly bigint[],
  at: Date,
): Promise<Map<string, RememberedAmount>> {
  const [ended, reported] = await Promise.all([
    endedAmounts(tx, amounts, except, at),
    reportedAmounts(tx, amounts, except, at),
  ]);
  const found = new Map<string, RememberedAmount>();
  for (const each of ended) found.set(amountKey(each), { ended: each, paid: each });
  for (const each of reported) {
    const { ended: order, paid } = found.get(amountKey(each)) ?? {};
    found.set(amountKey(each), {
      // A credit without a reference may be one of these again, so it is not taken for the message of the order an operator completed.
      ended: order && { ...order, supplemented: null },
      paid: {
        bareAt: later(paid?.bareAt, each.heldBareAt),
        statedAt: later(paid?.statedAt, each.heldStatedAt),
      },
      open: { bareAt: each.openBareAt, statedAt: each.openStatedAt },
      barred: { bareAt: each.barredBareAt, statedAt: each.barredStatedAt },
    });
  }
  return found;
}

/**
 * The amounts (`amountKey`) of those of these credits that may be paid already: the account has a credit of the amount of the last day that
 * states no reference, and the same balance or none. Only another balance shows that it is another payment.
 */
export async function amountsOfOneBalance(
  tx: Tx,
  credits: readonly (PaidAmount & { readonly balance: bigint })[],
  except: readonly bigint[],
  at: Date,
): Promise<string[]> {
  if (credits.length === 0) return [];
  const since = new Date(at.getTime() - PAYMENTS_REMEMBERED);
  const found = await tx.query<PaidAmount>(
    hot(
      'amounts of one balance',
      sql`
    select distinct m.account_id as "accountId", m.amount
    from ${unnestRows({ accountId: 'bigint', amount: 'bigint', balance: 'bigint' }, credits)}
    join messages m on m.account_id = v.account_id and m.amount = v.amount and m.direction = 'credit'
      and coalesce(m.balance = v.balance, true)
    where m.utr is null and m.id > ${firstIdAt(since) - ID_SLACK} and m.reported_at > ${since} and m.id <> all(${except})
      and m.state in ('matched', 'unmatched', 'ambiguous', 'held', 'untrusted', 'settledOutside')`,
    ),
  );
  return found.map(amountKey);
}

/** Whether an operator has completed an order with this sum whose message has not come. */
export const isAwaited = (known: RememberedAmount | undefined): boolean =>
  (known?.ended?.awaitingIds.length ?? 0) > 0;

export const amountKey = ({ accountId, amount }: PaidAmount) => `${accountId}/${amount}`;

export const toldAt = (isStated: boolean, at: Date): Told => (isStated ? { statedAt: at } : { bareAt: at });

type Moment = Date | null | undefined;

export const later = (one: Moment, other: Moment): Moment =>
  one && other && one > other ? one : (other ?? one);
