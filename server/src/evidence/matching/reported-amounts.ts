import type { PaidAmount, RememberedAmount } from '../../collection/matchable.ts';
import { MESSAGE_TO_COME, SECOND_WORDING } from '../../collection/waiting.ts';
import { ID_SLACK, firstIdAt } from '../../platform/db/ids.ts';
import { type Sql, type Tx, hot, join, sql } from '../../platform/db/database.ts';
import { unnestRows } from '../../platform/db/unnest-rows.ts';
import type { MessageState } from './message.ts';

/** Credits of an amount that were reported lately and paid nothing so far. */
interface ReportedAmount extends PaidAmount {
  /** Whether all of those of a moment ago that wait for their chain state a reference; null: none waits. */
  readonly held: boolean | null;
  readonly heldAt: Date | null;
  /** The same of those that are an operator's, or settled outside the platform. */
  readonly open: boolean | null;
  /** Whether one of the last day states a reference. */
  readonly openOfDay: boolean;
  /** Whether all of those of a moment ago that were settled outside the platform state a reference; null: there are none. */
  readonly settled: boolean | null;
  /** Whether one of those of the last day states a reference. */
  readonly settledOfDay: boolean | null;
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
export function amountsReported(
  tx: Tx,
  amounts: readonly PaidAmount[],
  except: readonly bigint[],
  at: Date,
): Promise<ReportedAmount[]> {
  const since = new Date(at.getTime() - MESSAGE_TO_COME);
  const recent = sql`m.reported_at > ${new Date(at.getTime() - SECOND_WORDING)}`;
  return tx.query(
    hot(
      'amounts reported',
      sql`
    select v.account_id as "accountId", v.amount,
      bool_and(m.utr is not null) filter (where m.state in ('held', 'untrusted') and ${recent}) as held,
      max(m.reported_at) filter (where m.state in ('held', 'untrusted') and ${recent}) as "heldAt",
      bool_and(m.utr is not null) filter (where m.state not in ('held', 'untrusted') and ${recent}) as open,
      bool_or(m.utr is not null) as "openOfDay",
      bool_and(m.utr is not null) filter (where m.state = 'settledOutside' and ${recent}) as settled,
      bool_or(m.utr is not null) filter (where m.state = 'settledOutside') as "settledOfDay"
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

/** SQL: states neither a reference nor a minute, so that it may be any payment of its day. */
const isBareAndVague = (m: Sql) =>
  sql`${m}.utr is null and coalesce(${m}.time_precision, 'none') not in ('second', 'minute')`;

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

/** SQL: whether credit `o` may be credit `m` of its account in another wording, by the rule that `decide` has for what comes later. */
function isOtherWording(at: Date): Sql {
  const day = firstIdAt(at) - firstIdAt(new Date(at.getTime() - MESSAGE_TO_COME)) + ID_SLACK;
  return sql`o.amount = m.amount and o.id between m.id - ${day} and m.id + ${day}
    and o.id <> m.id and o.direction = 'credit' and (o.utr is null or m.utr is null) and o.reason is distinct from 'delay'
    and (abs(extract(epoch from o.reported_at - m.reported_at)) * 1000 <= ${SECOND_WORDING}
      or ${isBareAndVague(sql`o`)} and m.utr is not null or ${isBareAndVague(sql`m`)} and o.utr is not null)`;
}

/** Credits that may be this one in another wording; locked. */
export function lockOtherWordings(
  tx: Tx,
  messageId: bigint,
  at: Date,
): Promise<{ readonly id: bigint; readonly state: MessageState }[]> {
  const found = [ON_ITS_ACCOUNT, ...PERHAPS_ON_ITS_ACCOUNT].map(
    (place) => sql`
      select o.id from messages m join messages o on ${place} and ${isOtherWording(at)} where m.id = ${messageId}`,
  );
  return tx.query(sql`
    select id, state from messages
    where id in (${join(found, ' union all ')}) and state in ('matched', 'unmatched', 'ambiguous', 'held', 'untrusted')
    order by id for update`);
}

/** These stored credits have paid orders: open ones that may be one of them in another wording pay nothing by themselves any more. */
export function closeOtherWordings(tx: Tx, messageIds: readonly bigint[], at: Date): void {
  tx.send(
    hot(
      'close other wordings',
      sql`
    update messages o set state = 'ambiguous', reason = 'amountJustMatched' from messages m
    where m.id = any(${messageIds}) and m.direction = 'credit' and ${ON_ITS_ACCOUNT} and ${isOtherWording(at)} and ${isOpenToMessages(sql`o`)}`,
    ),
  );
}

/** What is remembered of amounts, by account and amount: paid ones and reported ones. One without a reference counts before one with. */
export function together(
  remembered: readonly RememberedAmount[],
  reported: readonly ReportedAmount[],
): RememberedAmount[] {
  const paid = new Map(remembered.map((each) => [`${each.accountId}/${each.amount}`, each]));
  const also = reported.map(({ accountId, amount, held, heldAt, ...open }): RememberedAmount => {
    const known = paid.get(`${accountId}/${amount}`);
    return {
      accountId,
      amount,
      stated: held === null ? known?.stated : held && (known?.stated ?? true),
      paidAt: heldAt ?? known?.paidAt,
      isRecent: held !== null || known?.isRecent === true,
      awaitsMessage: known?.awaitsMessage,
      // What comes without a reference may be one of these again, and not the message of the order an operator completed.
      supplemented: null,
      ...open,
    };
  });
  return [...remembered, ...also];
}
