import { MOST_COMMISSION_PPM } from '@sangam/contract/money.ts';
import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import { BUSINESS_TIME_ZONE } from '@sangam/contract/time.ts';
import { OPEN_DEBIT } from '../payout/debits.ts';
import { DAY, MINUTE } from '../platform/clock.ts';
import { type Sql, sql } from '../platform/db/database.ts';
import { firstIdOf } from '../platform/db/ids.ts';
import { type Check, NODES, within } from './check.ts';

const { cancelled, completed, inProgress, rejected, submitted, toBeConfirmed } = PAYOUT_STATUS;
const ms = (length: number): Sql => sql`${length} * interval '1 millisecond'`;
/** Gateways are asked for a week from the payout's end; the last time is a few hours before the week is over. */
const ASKED_FOR = ms(6 * DAY);
/** By then the loop that looks for debits of refunded payouts has run. */
const LOOKED_FOR = ms(10 * MINUTE);
/** How old a debit may be that is compared by its amount alone. */
const FITTED_FOR = ms(3 * DAY - 10 * MINUTE);
/** Events that move an order's money, or give the order to somebody who will. */
const MOVES = sql`('paid', 'supplemented', 'completed', 'reversed', 'rejected', 'cancelled', 'claimed', 'dispatched', 'batched')`;

/** Compares what people, gateways and banks did with what was on hold, switched off, approved and reported at the time. */
export const DECISION_CHECKS: readonly Check[] = [
  {
    name: 'every ended payout that a gateway was given is asked about for a week',
    walks: 'payout_orders',
    statement: (range) => sql`
      select 'payout ' || o.id || ' ended at ' || o.finished_at || ' after ' || o.attempt || ' sends, and nobody asks about it' as detail
      from payout_orders o
      where ${within(sql`o.id`, range)} and o.status in (${completed}, ${cancelled}, ${rejected}) and o.reversed_at is null
        and o.attempt > 0 and o.ask_again_at is null and (o.asked_at >= o.finished_at + ${ASKED_FOR}) is not true
      order by o.id`,
  },
  {
    name: 'no notice was taken back while it was sent, and none went before an earlier one of its order',
    walks: 'callbacks',
    statement: (range) => sql`
      select 'callback ' || a.callback_id || ' of order ' || a.order_id || ' was sent at ' || a.created_at || ', but was taken back' as detail
      from callback_attempts a
      where ${within(sql`a.callback_id`, range)} and not exists (select from callbacks c where c.id = a.callback_id)
      union all
      select 'callback ' || later.id || ' of order ' || later.order_id || ' was sent before callback ' || q.callback_id || ', which waits still'
      from callback_queue q
      join callbacks later on later.order_id = q.order_id and later.place > q.place
      where ${within(sql`q.callback_id`, range)} and exists (select from callback_attempts a where a.callback_id = later.id)`,
  },
  {
    name: 'nothing moved the money of an order that was frozen',
    walks: 'orders',
    statement: (range) => sql`
      select 'order ' || e.order_id || ' was ' || e.kind || ' at ' || e.created_at || ', frozen since ' || f.created_at as detail
      from order_events f join order_events e on e.order_id = f.order_id
      where f.kind = 'frozen' and ${within(sql`f.order_id`, range)} and e.kind in ${MOVES} and e.created_at > f.created_at + ${NODES}
        and not exists (select from order_events u where u.order_id = f.order_id and u.kind = 'unfrozen'
          and u.created_at between f.created_at and e.created_at + ${NODES})
      order by e.order_id`,
  },
  {
    name: 'nothing was withdrawn from an owner on hold',
    walks: 'postings',
    statement: (range) => sql`
      select 'withdrawal ' || p.id || ' of ' || a.owner_kind || ' ' || a.owner_id || ' at ' || p.created_at || ', on hold since ' || h.created_at as detail
      from postings p join ledger_entries e on e.posting_id = p.id
      join ledger_accounts a on a.id = e.account_id and a.owner_kind <> 'platform'
      cross join lateral (
        select h.after, h.created_at from audit_log h
        where h.subject = a.owner_kind || ':' || a.owner_id and h.action like 'hold.%' and h.created_at < p.created_at + ${NODES}
        order by h.created_at desc, h.id desc limit 1
      ) h
      where p.kind = 'withdrawal' and ${within(sql`p.id`, range)} and (h.after->>'frozen')::boolean and h.created_at < p.created_at - ${NODES}
      order by p.id`,
  },
  {
    name: 'no payout was sent while its product was switched off for its merchant',
    walks: 'payout_orders',
    statement: (range) => sql`
      select 'payout ' || o.id || ' was sent at ' || e.created_at || ', but product ' || o.product_id || ' was off for merchant '
        || o.merchant_id || ' since ' || t.applied_at as detail
      from payout_orders o join order_events e on e.order_id = o.id and e.kind = 'dispatched'
      cross join lateral (
        select t.enabled, t.applied_at from user_product_terms t
        where t.owner_kind = 'merchant' and t.owner_id = o.merchant_id and t.product_id = o.product_id and t.applied_at <= e.created_at
        order by t.applied_at desc, t.id desc limit 1
      ) t
      where ${within(sql`o.id`, range)} and not t.enabled and t.applied_at + ${NODES} < e.created_at
      order by o.id`,
  },
  {
    name: 'a transfer that was sent failed by the word of its chain alone',
    walks: 'payout_orders',
    // Ordered by transaction: ids of two nodes do not show which came first.
    statement: (range) => sql`
      select 'payout ' || o.id || ' was called failed (' || f.reason || '), though it was sent as ' || (s.data->>'reference') as detail
      from payout_orders o
      join order_events s on s.order_id = o.id and s.kind = 'submitted' and s.data ? 'reference'
      join order_events f on f.order_id = o.id and f.kind = 'failed' and f.tx_id > s.tx_id
      where ${within(sql`o.id`, range)} and o.currency = 'USDT' and position(s.data->>'reference' in coalesce(f.reason, '')) = 0
        and not exists (select from order_events d where d.order_id = o.id and d.kind = 'dispatched' and d.tx_id between s.tx_id and f.tx_id)
      order by o.id`,
  },
  {
    name: 'every debit that proves a payout is of the supplier it was credited to',
    walks: 'payout_orders',
    statement: (range) => sql`
      select 'payout ' || o.id || ' was credited to supplier ' || o.supplier_id || ', but message ' || m.id || ' is a debit of supplier '
        || m.supplier_id as detail
      from payout_orders o join message_matches mm on mm.order_id = o.id join messages m on m.id = mm.message_id
      where ${within(sql`o.id`, range)} and o.status = ${completed} and o.supplier_id <> m.supplier_id
      order by o.id`,
  },
  {
    name: 'people were told of every debit that has the number of a refunded payout',
    walks: 'messages',
    statement: (range) => sql`
      select 'payout ' || o.id || ' of ' || o.amount || ' was refunded, but message ' || m.id || ' is its debit, and nobody was told' as detail
      from messages m join payout_batch_orders i on i.bank_reference = m.utr and i.in_file and i.amount = m.amount
      join payout_batches b on b.id = i.batch_id and b.account_id = m.account_id
      join payout_orders o on o.id = i.order_id
      where ${within(sql`m.id`, range)} and ${OPEN_DEBIT} and m.reported_at < now() - ${LOOKED_FOR}
        and o.status in (${cancelled}, ${rejected}) and o.reversed_at is null
        and not exists (select from order_events e where e.order_id = o.id and e.kind = 'contradicted' and e.data->>'said' = 'debited')
      order by m.id`,
  },
  {
    // Only the last days: what else an older debit may have meant has changed since.
    name: 'people were told of every debit of the last days that fits a refunded payout by its amount alone',
    walks: 'messages',
    statement: (range) => sql`
      select 'payout ' || o.id || ' of ' || o.amount || ' was refunded, but message ' || m.id || ' fits it, and nobody was told' as detail
      from messages m join payout_batches b on b.account_id = m.account_id and b.sent_at <= m.received_at
      join payout_batch_orders i on i.batch_id = b.id and i.in_file and i.amount = m.amount
      join payout_orders o on o.id = i.order_id
      where ${within(sql`m.id`, range)} and ${OPEN_DEBIT} and m.reported_at between now() - ${FITTED_FOR} and now() - ${LOOKED_FOR}
        and o.status in (${cancelled}, ${rejected}) and o.reversed_at is null and o.finished_at < now() - ${LOOKED_FOR}
        and not exists (select from payout_orders p where p.account_id = m.account_id and p.amount = m.amount and p.id <> o.id
          and (p.status in (${inProgress}, ${toBeConfirmed}, ${submitted}) or p.finished_at > now() - ${FITTED_FOR} - ${LOOKED_FOR}))
        and not exists (select from order_events e where e.order_id = o.id and e.kind = 'contradicted' and e.data->>'said' = 'debited')
      order by m.id`,
  },
  {
    // Money that was proven later is left out, so the check may miss a case but never reports a wrong one.
    name: 'every withdrawal left what its owner owes and has not proven',
    walks: 'postings',
    statement: (range) => sql`
      select 'withdrawal ' || p.id || ' left ' || left_over || ' of the ' || bucket || ' of ' || owner_kind || ' ' || owner_id || ', which owed '
        || owed || ' and had not proven ' || unproven as detail
      from (
        select p.id, e.balance_after as left_over, a.bucket, a.owner_kind, a.owner_id,
          coalesce((select -l.balance_after from ledger_accounts d join ledger_entries l on l.account_id = d.id
            where d.owner_kind = a.owner_kind and d.owner_id = a.owner_id and d.currency = a.currency and d.bucket = 'debt'
              and l.id < ${firstIdOf(sql`(p.created_at - ${NODES})`)}
            order by l.id desc limit 1), 0) as owed,
          coalesce((select sum(case a.bucket when 'commission' then o.supplier_commission else o.amount end) from payout_orders o
            where a.owner_kind = 'supplier' and o.supplier_id = a.owner_id and o.currency = a.currency and o.unproven
              and o.finished_at < p.created_at - ${NODES}), 0) as unproven
        from postings p join ledger_entries e on e.posting_id = p.id
        join ledger_accounts a on a.id = e.account_id and a.owner_kind <> 'platform' and a.bucket <> 'debt'
        where p.kind = 'withdrawal' and ${within(sql`p.id`, range)}
      ) p
      where left_over < owed + unproven
      order by p.id`,
  },
  {
    name: "no supplier's commission is above its limit",
    walks: 'orders',
    statement: (range) => sql`
      select 'order ' || o.id || ' of ' || o.moved || ' earned its supplier ' || o.supplier_commission as detail
      from (
        select id, received as moved, supplier_commission from collection_orders
        union all select id, amount, supplier_commission from payout_orders
      ) o
      where ${within(sql`o.id`, range)} and o.supplier_commission * 1000000 > o.moved * ${MOST_COMMISSION_PPM} + 500000
      order by o.id`,
  },
  {
    name: "no agent's commission is above its limit",
    walks: 'orders',
    statement: (range) => sql`
      select 'order ' || o.id || ' of ' || o.moved || ' earned agent ' || a.owner_id || ' ' || sum(e.amount) as detail
      from (
        select id, received as moved, supplier_id from collection_orders where agent_commission > 0
        union all select id, amount, supplier_id from payout_orders where agent_commission > 0
      ) o
      join postings p on p.order_id = o.id and p.kind in ('collection', 'collectionOffset', 'payoutCompleted')
      join ledger_entries e on e.posting_id = p.id
      join ledger_accounts a on a.id = e.account_id and a.owner_kind = 'supplier' and a.owner_id <> o.supplier_id
      where ${within(sql`o.id`, range)}
      group by o.id, o.moved, a.owner_id having sum(e.amount) * 1000000 > o.moved * ${MOST_COMMISSION_PPM} + 500000
      order by o.id`,
  },
  {
    name: 'two people agreed to every early settlement',
    statement: sql`
      select 'settlement run ' || r.id || ' of ' || r.started_at || ' settled through ' || r.through_day || ', which one person alone asked for' as detail
      from settlement_runs r
      where r.through_day > (r.started_at at time zone ${BUSINESS_TIME_ZONE})::date and not exists (
        select from approvals a where a.kind = 'earlySettlement' and a.status = 'approved' and a.result->>'id' = r.id::text)
      order by r.id`,
  },
];
