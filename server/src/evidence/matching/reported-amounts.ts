import type { PaidAmount, RememberedAmount } from '../../collection/matchable.ts';
import { MESSAGE_TO_COME, SECOND_WORDING } from '../../collection/waiting.ts';
import { ID_SLACK, firstIdAt } from '../../platform/db/ids.ts';
import { type Sql, type Tx, hot, sql } from '../../platform/db/database.ts';
import { unnestRows } from '../../platform/db/unnest-rows.ts';
import type { MessageState } from './message.ts';

/** Credits of an amount that were reported lately and paid nothing so far. */
interface ReportedAmount extends PaidAmount {
  /** Whether all of those of a moment ago that wait for their chain state a reference; null: none waits. */
  readonly held: boolean | null;
  /** The same of those that are an operator's, or settled outside the platform. */
  readonly open: boolean | null;
  /** Whether one of the last day states a reference. */
  readonly openOfDay: boolean;
  /** Whether all of those of a moment ago that were settled outside the platform state a reference; null: there are none. */
  readonly settled: boolean | null;
  /** Whether one of those of the last day states a reference. */
  readonly settledOfDay: boolean | null;
}

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
    select m.account_id as "accountId", m.amount,
      bool_and(m.utr is not null) filter (where m.state in ('held', 'untrusted') and ${recent}) as held,
      bool_and(m.utr is not null) filter (where m.state not in ('held', 'untrusted') and ${recent}) as open,
      bool_or(m.utr is not null) as "openOfDay",
      bool_and(m.utr is not null) filter (where m.state = 'settledOutside' and ${recent}) as settled,
      bool_or(m.utr is not null) filter (where m.state = 'settledOutside') as "settledOfDay"
    from (select distinct * from ${unnestRows({ accountId: 'bigint', amount: 'bigint' }, amounts)}) v
    join messages m on m.account_id = v.account_id and m.amount = v.amount
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

/** SQL: whether credit `o` may be credit `m` in another wording, by the rule that `decide` has for what comes later. */
function isOtherWording(at: Date): Sql {
  const day = firstIdAt(at) - firstIdAt(new Date(at.getTime() - MESSAGE_TO_COME)) + ID_SLACK;
  return sql`o.account_id = m.account_id and o.amount = m.amount and o.id between m.id - ${day} and m.id + ${day}
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
  return tx.query(sql`
    select o.id, o.state from messages m join messages o on ${isOtherWording(at)}
    where m.id = ${messageId} and o.state in ('matched', 'unmatched', 'ambiguous', 'held', 'untrusted')
    order by o.id for update of o`);
}

/** These stored credits have paid orders: open ones that may be one of them in another wording pay nothing by themselves any more. */
export function closeOtherWordings(tx: Tx, messageIds: readonly bigint[], at: Date): void {
  tx.send(
    hot(
      'close other wordings',
      sql`
    update messages o set state = 'ambiguous', reason = 'amountJustMatched' from messages m
    where m.id = any(${messageIds}) and m.direction = 'credit' and ${isOtherWording(at)} and ${isOpenToMessages(sql`o`)}`,
    ),
  );
}

/** What is remembered of amounts, by account and amount: paid ones and reported ones. One without a reference counts before one with. */
export function together(
  remembered: readonly RememberedAmount[],
  reported: readonly ReportedAmount[],
): RememberedAmount[] {
  const paid = new Map(remembered.map((each) => [`${each.accountId}/${each.amount}`, each]));
  const also = reported.map(({ accountId, amount, held, ...open }): RememberedAmount => {
    const known = paid.get(`${accountId}/${amount}`);
    return {
      accountId,
      amount,
      stated: held === null ? known?.stated : held && (known?.stated ?? true),
      isRecent: held !== null || known?.isRecent === true,
      awaitsMessage: known?.awaitsMessage,
      // What comes without a reference may be one of these again, and not the message of the order an operator completed.
      supplemented: null,
      ...open,
    };
  });
  return [...remembered, ...also];
}
