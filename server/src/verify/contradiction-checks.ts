import { familiesOf } from '../order-numbers/references.ts';
import { type Sql, sql } from '../platform/db/database.ts';
import { PAID } from '../platform/db/statuses.ts';
import { firstIdOf } from '../platform/db/ids.ts';
import { type Check, NODES, within } from './check.ts';

/**
 * Orders (alias `o`) with a supplier that a message completed and that held nothing of its deposit. A message completes only an order that
 * waits, so the deposit had to carry it until it was paid.
 */
export const byMessage = (range: Sql): Sql => sql`
  collection_orders o where ${range} and o.status in ${PAID} and o.supplier_id is not null and o.payable is not null and o.allocated_at is not null
    and exists (select from order_events e where e.order_id = o.id and e.kind = 'paid')
    and not exists (select from postings p where p.order_id = o.id and p.kind = 'collectionHeld')`;

/** What the bank says against the books is shown to people, and no deposit was promised twice. */
export const CONTRADICTION_CHECKS: readonly Check[] = [
  {
    name: 'no credit that contradicts what was booked under its UTR is filed as a repeat',
    walks: 'messages',
    statement: (range) => sql`
      select 'message ' || m.id || ' of ' || m.amount || ' on account ' || m.account_id || ' is filed as a repeat, but UTR ' || m.utr
        || ' was booked by order ' || u.order_id || coalesce(', ' || o.received || ' on account ' || o.account_id, ', a payout') as detail
      from messages m
      join utr_uses u on u.utr = m.utr and u.family = any(${familiesOf(sql`m.currency`)}) and u.family <> 'TRONOUT'
      left join collection_orders o on o.id = u.order_id
      left join payout_orders p on p.id = u.order_id
      where ${within(sql`m.id`, range)} and m.state = 'duplicate' and m.reason = 'utrUsed' and m.direction = 'credit'
        and (o.id is not null or p.id is not null)
        and (p.id is not null or o.received <> m.amount or o.account_id is distinct from m.account_id
          or exists (select from postings b where b.order_id = o.id and b.kind = 'collectionOffset'))
        and not exists (select from message_matches mm join messages x on x.id = mm.message_id
          where mm.order_id = o.id and x.amount = m.amount and x.account_id = m.account_id)
      order by m.id`,
  },
  {
    // At each allocation: the sums that payers could pay into the supplier's accounts, and later did pay, against the deposit
    // of that moment. Orders of earlier ranges are left out, so the check may miss a case but never reports a wrong one.
    name: 'what was to be paid into a supplier’s accounts was never more than its deposit carried',
    walks: 'collection_orders',
    statement: (range) => sql`
      with paid as materialized (
        select o.id, o.supplier_id, o.currency, o.allocated_at, o.payable, o.paid_at as until
        from ${byMessage(within(sql`o.id`, range))}
      ), steps as (
        select supplier_id, currency, allocated_at as at, 3 as turn, id, payable, 0::bigint as more from paid
        union all select supplier_id, currency, allocated_at + ${NODES}, 2, null, null, payable from paid where until > allocated_at + ${NODES}
        union all select supplier_id, currency, until, 1, null, null, -payable from paid where until > allocated_at + ${NODES}
      ), limits as materialized (
        select a.subject_id as supplier_id, a.payload->>'currency' as currency, min(-(a.payload->>'creditLimit')::bigint) as floor
        from approvals a where a.kind = 'creditLimit' and a.status = 'approved' group by 1, 2
      ), running as (
        select *, sum(more) over (partition by supplier_id, currency order by at, turn rows unbounded preceding) as waiting from steps
      )
      select 'order ' || r.id || ' of ' || r.payable || ' was given to supplier ' || r.supplier_id || ' while ' || r.waiting
        || ' more was to be paid there, over a deposit of ' || b.balance || ' that may fall to ' || f.floor as detail
      from running r
      join ledger_accounts d on d.owner_kind = 'supplier' and d.owner_id = r.supplier_id and d.currency = r.currency and d.bucket = 'deposit'
      left join limits l on l.supplier_id = r.supplier_id and l.currency = r.currency
      cross join lateral (select least(coalesce(d.floor, 0), l.floor) as floor) f
      cross join lateral (
        select greatest(0, (select balance_after from ledger_entries
            where account_id = d.id and id < ${firstIdOf(sql`(r.at - ${NODES})`)} order by id desc limit 1),
          (select max(balance_after) from ledger_entries
            where account_id = d.id and id >= ${firstIdOf(sql`(r.at - ${NODES})`)} and id < ${firstIdOf(sql`(r.at + ${NODES})`)})) as balance
      ) b
      where r.turn = 3 and r.waiting > 0 and r.waiting + r.payable > b.balance - f.floor
      order by r.id`,
  },
];
