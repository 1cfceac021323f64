import { type EndedAmount, endedAmounts, type PaidAmount } from '../../collection/matchable.ts';
import { MESSAGE_TO_COME, SECOND_WORDING, SLACK } from '../../collection/waiting.ts';
import { SECOND } from '../../platform/clock.ts';
import { ID_SLACK, firstIdAt } from '../../platform/db/ids.ts';
import { type Sql, type Tx, hot, join, sql } from '../../platform/db/database.ts';
import { unnestRows } from '../../platform/db/unnest-rows.ts';
import type { MessageState } from './message.ts';

/** When a payment of an amount was last told of: by a wording without a reference, and by one with. */
export interface Told {
  readonly bareAt?: Moment;
  readonly statedAt?: Moment;
}

/** What became within a day of the credits of an amount on an account. */
export interface RememberedAmount {
  /** Those that paid an order, or wait for their chain. */
  readonly paid?: Told;
  /** Those that are an operator's. */
  readonly open?: Told;
  /** Those that were settled outside the platform. */
  readonly settled?: Told;
  /** One of them states no reference, and no other balance than the credit that is decided. Asked where that names a balance alone, and no minute. */
  readonly hasNoOtherBalance?: boolean;
  /** Of the order of this amount that ended last. */
  readonly ended?: EndedAmount | undefined;
}

/** When credits of an amount that paid nothing so far were last reported. */
interface ReportedAmount extends PaidAmount {
  readonly heldBareAt: Date | null;
  readonly heldStatedAt: Date | null;
  readonly openBareAt: Date | null;
  readonly openStatedAt: Date | null;
  readonly settledBareAt: Date | null;
  readonly settledStatedAt: Date | null;
}

/** SQL: whether digits may be of one account's number; banks show its end, or nothing. */
const endAlike = (one: Sql, other: Sql) =>
  sql`coalesce(right(${one}, length(${other})) = ${other} or right(${other}, length(${one})) = ${one}, true)`;

/** SQL: without a reference, and taken for another wording of what came before: then what comes next is told by that one. */
const IS_SECOND = sql`(m.utr is null and m.reason is not null and m.reason in ('amountJustMatched', 'amountJustReported'))`;

/**
 * Those of these amounts of which the account has a credit of the last day that paid nothing so far: what is reported again of
 * it, in another wording, may be that payment. `except`: the messages that are matched now.
 */
function reportedAmounts(
  tx: Tx,
  amounts: readonly PaidAmount[],
  except: readonly bigint[],
  at: Date,
): Promise<ReportedAmount[]> {
  const since = new Date(at.getTime() - MESSAGE_TO_COME);
  const last = (which: Sql, isStated: Sql) =>
    sql`max(m.reported_at) filter (where m.state in (${which}) and m.utr is ${isStated})`;
  const [held, open, settled] = [
    sql`'held', 'untrusted'`,
    sql`'unmatched', 'ambiguous'`,
    sql`'settledOutside'`,
  ];
  const [bare, stated] = [sql`null`, sql`not null`];
  return tx.query(
    hot(
      'reported amounts',
      sql`
    select v.account_id as "accountId", v.amount,
      ${last(held, bare)} as "heldBareAt", ${last(held, stated)} as "heldStatedAt",
      ${last(open, bare)} as "openBareAt", ${last(open, stated)} as "openStatedAt",
      ${last(settled, bare)} as "settledBareAt", ${last(settled, stated)} as "settledStatedAt"
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

/** SQL: names no minute, so that it may be any payment of its day. */
const isVague = (m: Sql) => sql`coalesce(${m}.time_precision, 'none') not in ('second', 'minute')`;

/** SQL: a stored credit is open, and evidence that comes later may still complete an order with it. */
export const isOpenToMessages = (m: Sql) => sql`(${m}.state in ('unmatched', 'ambiguous')
  and coalesce(${m}.reason, '') not in ('reversed', 'payerListed', 'amountJustMatched', 'wordingSettled'))`;

const ON_ITS_ACCOUNT = sql`o.account_id = m.account_id`;
/** SQL: one of the two belongs to no account; then it may be of any of its phone's whose number has its digits. */
const PERHAPS_ON_ITS_ACCOUNT = [
  sql`o.account_id is null and ${isOfItsPhone()}`,
  sql`m.account_id is null and o.account_id in (select a.id from accounts a where a.monitor_id = m.monitor_id) and ${isOfItsPhone()}`,
];

function isOfItsPhone(): Sql {
  const digitsOf = (m: Sql) =>
    sql`coalesce((select a.account_number from accounts a where a.id = ${m}.account_id), ${m}.account_tail)`;
  return sql`o.monitor_id = m.monitor_id and o.currency = m.currency and ${endAlike(digitsOf(sql`o`), digitsOf(sql`m`))}`;
}

/** SQL: when a stored message's money moved (`movedAt` of `OpenCredit`). */
export function movedAtOf(m: Sql): Sql {
  return sql`case when ${m}.time_precision in ('second', 'minute') then least(${m}.bank_time, ${m}.received_at)
    else least(${m}.received_at, ${m}.bank_time + interval '1 day') end`;
}

/** SQL: whether credit `o` may be credit `m` of its account in another wording, by the rule that `decide` has for what comes later. */
function isOtherWording(at: Date): Sql {
  const day = firstIdAt(at) - firstIdAt(new Date(at.getTime() - MESSAGE_TO_COME)) + ID_SLACK;
  const slack = sql`make_interval(secs => ${SLACK / SECOND})`;
  const isAgain = (later: Sql, first: Sql) =>
    sql`(${movedAtOf(later)} <= ${first}.reported_at + ${slack}
      or ${isVague(later)} and (num_nulls(o.utr, m.utr) = 1 or coalesce(o.balance = m.balance, true)))`;
  return sql`o.amount = m.amount and o.id between m.id - ${day} and m.id + ${day}
    and o.id <> m.id and o.direction = 'credit' and (o.utr is null or m.utr is null) and o.reason is distinct from 'delay'
    and (abs(extract(epoch from o.reported_at - m.reported_at)) * 1000 <= ${SECOND_WORDING}
      or case when o.reported_at > m.reported_at then ${isAgain(sql`o`, sql`m`)} else ${isAgain(sql`m`, sql`o`)} end)`;
}

/** SQL: a stored credit (table `messages`) has paid an order, was taken back from one, or was settled outside the platform. */
export const IS_SPENT = sql`(state in ('matched', 'settledOutside') or coalesce(reason, '') = 'reversed')`;

/** Credits that may be this one in another wording; locked. */
export function lockOtherWordings(
  tx: Tx,
  messageId: bigint,
  at: Date,
): Promise<{ readonly id: bigint; readonly state: MessageState; readonly isSpent: boolean }[]> {
  const found = [ON_ITS_ACCOUNT, ...PERHAPS_ON_ITS_ACCOUNT].map(
    (place) => sql`
      select o.id from messages m join messages o on ${place} and ${isOtherWording(at)} where m.id = ${messageId}`,
  );
  return tx.query(sql`
    select id, state, ${IS_SPENT} as "isSpent" from messages
    where id in (${join(found, ' union all ')}) and state in ('matched', 'unmatched', 'ambiguous', 'held', 'untrusted', 'settledOutside')
    order by id for update`);
}

/**
 * These stored credits have paid orders: open ones that may be one of them in another wording pay nothing by themselves any more.
 * Nor do those that are held for an order, where people have joined one (`byPeople`): by itself it would have paid nothing beside them.
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
      // What comes without a reference may be one of these again, and not the message of the order an operator completed.
      ended: order && { ...order, supplemented: null },
      paid: {
        bareAt: later(paid?.bareAt, each.heldBareAt),
        statedAt: later(paid?.statedAt, each.heldStatedAt),
      },
      open: { bareAt: each.openBareAt, statedAt: each.openStatedAt },
      settled: { bareAt: each.settledBareAt, statedAt: each.settledStatedAt },
    });
  }
  return found;
}

/**
 * Of these credits, which state a balance, the amounts (`amountKey`) of which the account has a credit of the last day that states no
 * reference, and the same balance or none: only another balance shows that it is another payment.
 */
export async function amountsOfOneBalance(
  tx: Tx,
  credits: readonly (PaidAmount & { readonly balance: bigint })[],
  except: readonly bigint[],
  at: Date,
): Promise<string[]> {
  if (credits.length === 0) return [];
  const since = new Date(at.getTime() - MESSAGE_TO_COME);
  const found = await tx.query<PaidAmount>(sql`
    select distinct m.account_id as "accountId", m.amount
    from ${unnestRows({ accountId: 'bigint', amount: 'bigint', balance: 'bigint' }, credits)}
    join messages m on m.account_id = v.account_id and m.amount = v.amount and m.direction = 'credit'
      and coalesce(m.balance = v.balance, true)
    where m.utr is null and m.id > ${firstIdAt(since) - ID_SLACK} and m.reported_at > ${since} and m.id <> all(${except})
      and m.state in ('matched', 'unmatched', 'ambiguous', 'held', 'untrusted', 'settledOutside')`);
  return found.map(amountKey);
}

export const amountKey = ({ accountId, amount }: PaidAmount) => `${accountId}/${amount}`;

export const toldAt = (isStated: boolean, at: Date): Told => (isStated ? { statedAt: at } : { bareAt: at });

type Moment = Date | null | undefined;

export const later = (one: Moment, other: Moment): Moment =>
  one && other && one > other ? one : (other ?? one);
