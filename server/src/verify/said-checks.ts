import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import { BUSINESS_TIME_ZONE } from '@sangam/contract/time.ts';
import { IDENTIFY_CODE } from '../collection/identify-code.ts';
import { movedAtOf } from '../evidence/matching/reported-amounts.ts';
import { DAY, MINUTE } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { firstIdAt, firstIdOf } from '../platform/db/ids.ts';
import { PAID } from '../platform/db/statuses.ts';
import { type Check, NODES, within } from './check.ts';
import { byMessage } from './contradiction-checks.ts';

const { completed } = PAYOUT_STATUS;
/** By then the loops that look at claims and patches have run. */
const LOOKED_FOR = sql`${10 * MINUTE} * interval '1 millisecond'`;
/** The same for the leak checker, whose interval may be set to as much as an hour. */
const LEAKS_LOOKED_FOR = sql`(${LOOKED_FOR} + coalesce((select (value->>'sbLeakCheckInterval')::int from settings where name = 'SecurityFreqParameters'), 0) * interval '1 second')`;
/** PostgreSQL writes a word boundary as \y. */
const CODE = IDENTIFY_CODE.source.replaceAll('\\b', '\\y');
/** Matches in which only the sum, or the sum and a name, says whose money it is. */
const BY_AMOUNT = sql`('exactAmount', 'amountAndName')`;
const A_DAY = firstIdAt(new Date(Date.UTC(2020, 0, 1) + DAY));

/** Compares what payers, banks and suppliers said with what was done. */
export const SAID_CHECKS: readonly Check[] = [
  {
    name: 'no payment that names an order paid another by its amount',
    walks: 'messages',
    statement: (range) => sql`
      select 'message ' || m.id || ' names order ' || o.id || ' by its code, and paid order ' || mm.order_id as detail
      from messages m join message_matches mm on mm.message_id = m.id and mm.evidence in ${BY_AMOUNT}
      cross join lateral regexp_matches(upper(m.text), ${CODE}, 'g') as c (code)
      join collection_orders o on o.identify_code = c.code[1] and o.id <> mm.order_id
      where ${within(sql`m.id`, range)} and m.state = 'matched' and m.direction = 'credit'
      order by m.id`,
  },
  {
    name: 'no payment whose UTR a payer had named paid another by its amount',
    walks: 'collection_orders',
    statement: (range) => sql`
      select 'message ' || m.id || ' has the UTR that the payer of order ' || o.id || ' named, and paid order ' || mm.order_id as detail
      from collection_orders o join messages m on m.utr = o.payer_utr and m.account_id = o.account_id
      join message_matches mm on mm.message_id = m.id and mm.order_id <> o.id and mm.evidence in ${BY_AMOUNT}
      where ${within(sql`o.id`, range)} and m.state = 'matched' and m.direction = 'credit'
        and m.amount in (o.payable, o.amount) and (o.status not in ${PAID} or o.paid_at > mm.created_at)
        and o.expires_at > mm.created_at + ${NODES} and ${movedAtOf(sql`m`)} >= o.allocated_at
        and exists (select from order_events e where e.order_id = o.id and e.kind = 'utrSubmitted' and e.data->>'utr' = m.utr
          and e.created_at < mm.created_at - ${NODES})
      order by o.id`,
  },
  {
    name: 'no live patch rests on an order whose UTR the bank has told of',
    statement: sql`
      select 'patch ' || p.id || ' of ' || p.amount || ' rests on order ' || o.id || ', but message ' || m.id || ' of ' || m.amount
        || ' has its UTR' as detail
      from chain_patches p cross join lateral unnest(p.order_ids) as v (id)
      join (select id, utr, currency from collection_orders union all select id, utr, currency from payout_orders) o on o.id = v.id
      join messages m on m.utr = o.utr and m.currency = o.currency
      where p.state = 'live' and m.reported_at < now() - ${LEAKS_LOOKED_FOR}
        and not exists (select from message_matches mm where mm.order_id = o.id)
      order by p.id`,
  },
  {
    // Only orders that a message paid later and that held nothing of the deposit. So the check may miss a case but never
    // reports a wrong one.
    name: 'no withdrawal took a deposit from under orders that could still be paid',
    walks: 'postings',
    statement: (range) => sql`
      select 'withdrawal ' || p.id || ' left ' || e.balance_after || ' of the deposit of supplier ' || a.owner_id || ', where ' || w.amount
        || ' was to be paid' as detail
      from postings p join ledger_entries e on e.posting_id = p.id
      join ledger_accounts a on a.id = e.account_id and a.owner_kind = 'supplier' and a.bucket = 'deposit'
      cross join lateral (
        select sum(o.payable) as amount from ${byMessage(sql`o.supplier_id = a.owner_id and o.id < p.id and o.id > p.id - ${A_DAY}`)}
          and o.currency = a.currency and o.allocated_at < p.created_at - ${NODES}
          and o.paid_at > p.created_at + ${NODES}) w
      where p.kind = 'withdrawal' and ${within(sql`p.id`, range)} and e.balance_after < w.amount
      order by p.id`,
  },
  {
    name: 'people were told of every claim that the bank’s word contradicts',
    statement: sql`
      select 'payout ' || o.id || ' is said to be paid by UTR ' || o.utr || ', but message ' || m.id || ' is a credit of that number, and nobody was told' as detail
      from payout_orders o join messages m on m.utr = o.utr and m.direction = 'credit'
      where o.unproven and o.reversed_at is null and m.reported_at < now() - ${LOOKED_FOR} and o.finished_at < now() - ${LOOKED_FOR}
        and not exists (select from order_events e where e.order_id = o.id and e.kind = 'contradicted')
      order by o.id`,
  },
  {
    name: 'what a supplier’s file says is proven by a debit or by a person who says so',
    statement: sql`
      select 'payout ' || o.id || ' counts as proven, but row ' || r.row_number || ' of batch ' || r.batch_id || ' is its supplier’s word' as detail
      from payout_batch_orders r join payout_orders o on o.id = r.order_id
      where r.state = 'completed' and coalesce(r.proposed, 'completed') = 'completed' and r.proposed_by_supplier
        and o.status = ${completed} and not o.unproven and o.reversed_at is null
        and exists (select from order_events e where e.order_id = o.id and e.kind = 'completed' and e.data->>'by' = 'batchResult')
        and not exists (select from message_matches mm where mm.order_id = o.id)
        and not exists (select from order_events e where e.order_id = o.id and e.kind in ('proofAccepted', 'proven'))
      order by o.id`,
  },
  {
    name: 'no payout was sent or completed while its merchant, or the supplier that says so, was on hold',
    walks: 'payout_orders',
    // The holds of each party are read once for all its payouts of the range.
    statement: (range) => sql`
      with moved as materialized (
        select o.id, e.kind, e.created_at, s.subject
        from payout_orders o join order_events e on e.order_id = o.id and e.kind in ('completed', 'dispatched')
        left join users u on e.actor_kind = 'user' and u.id = e.actor_id and u.role = 'supplier'
        cross join lateral (values ('merchant:' || o.merchant_id), (case when u.id is not null then 'supplier:' || o.supplier_id end)) s (subject)
        where ${within(sql`o.id`, range)} and s.subject is not null
      ), held as materialized (
        select a.subject, a.created_at, (a.after->>'frozen')::boolean as frozen,
          lead(a.created_at) over (partition by a.subject order by a.created_at, a.id) as until
        from (select distinct subject from moved) s join audit_log a on a.subject = s.subject and a.action like 'hold.%'
      )
      select 'payout ' || m.id || ' was ' || m.kind || ' at ' || m.created_at || ', ' || m.subject || ' on hold since ' || h.created_at as detail
      from moved m join held h on h.subject = m.subject and h.frozen and h.created_at < m.created_at - ${NODES}
        and (h.until > m.created_at + ${NODES}) is not false
      order by m.id`,
  },
  {
    name: 'no payout has two transfers of which both may pay',
    walks: 'payout_orders',
    // Ordered by transaction: ids of two nodes do not show which came first.
    statement: (range) => sql`
      select 'payout ' || o.id || ' was sent as ' || (s.data->>'reference') || ' and again as ' || (t.data->>'reference') as detail
      from payout_orders o
      join order_events s on s.order_id = o.id and s.kind = 'submitted' and s.data ? 'reference'
      join order_events t on t.order_id = o.id and t.kind = 'submitted' and t.data->>'reference' <> s.data->>'reference' and t.tx_id > s.tx_id
      where ${within(sql`o.id`, range)} and o.currency = 'USDT' and not exists (
        select from order_events f where f.order_id = o.id and f.kind = 'failed' and f.tx_id between s.tx_id and t.tx_id
          and position(s.data->>'reference' in coalesce(f.reason, '')) > 0)
      order by o.id`,
  },
  {
    name: 'no payout was credited for a debit that is another supplier’s',
    walks: 'payout_orders',
    statement: (range) => sql`
      select 'payout ' || o.id || ' was credited to supplier ' || o.supplier_id || ' by UTR ' || o.utr || ', but message ' || m.id
        || ' is a debit of supplier ' || m.supplier_id as detail
      from payout_orders o join messages m on m.utr = o.utr and m.direction = 'debit' and m.supplier_id <> o.supplier_id and m.currency = o.currency
      where ${within(sql`o.id`, range)} and o.status = ${completed} and not o.unproven and o.reversed_at is null
        and m.reported_at < o.finished_at - ${NODES}
        and not exists (select from message_matches mm where mm.order_id = o.id)
        and not exists (select from order_events e where e.order_id = o.id and e.kind in ('contradicted', 'proofAccepted'))
      order by o.id`,
  },
  {
    name: 'no commission was credited beside an open debt',
    walks: 'postings',
    statement: (range) => sql`
      select 'posting ' || p.id || ' (' || p.key || ') credited ' || e.amount || ' of commission to supplier ' || a.owner_id || ', which owed '
        || -d.most as detail
      from postings p join ledger_entries e on e.posting_id = p.id and e.amount > 0
      join ledger_accounts a on a.id = e.account_id and a.owner_kind = 'supplier' and a.bucket = 'commission'
      join ledger_accounts c on c.owner_kind = a.owner_kind and c.owner_id = a.owner_id and c.currency = a.currency and c.bucket = 'debt'
      cross join lateral (select greatest(
        coalesce((select balance_after from ledger_entries where account_id = c.id and id < ${firstIdOf(sql`(p.created_at - ${NODES})`)} order by id desc limit 1), 0),
        (select max(balance_after) from ledger_entries where account_id = c.id and id >= ${firstIdOf(sql`(p.created_at - ${NODES})`)}
          and id < ${firstIdOf(sql`(p.created_at + ${NODES})`)})) as most) d
      where p.kind in ('collection', 'collectionOffset', 'payoutCompleted') and ${within(sql`p.id`, range)} and d.most < 0
      order by p.id`,
  },
  {
    name: 'no file was made after the day it is to be paid on',
    statement: sql`
      select 'batch ' || b.id || ' was exported at ' || b.exported_at || ', to be paid at ' || b.pay_at as detail
      from payout_batches b
      where (b.pay_at at time zone ${BUSINESS_TIME_ZONE})::date < ((b.exported_at - ${NODES}) at time zone ${BUSINESS_TIME_ZONE})::date
      order by b.id`,
  },
];
