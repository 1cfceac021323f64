import { BUSINESS_TIME_ZONE } from '@sangam/contract/time.ts';
import { sql } from '../platform/db/database.ts';
import { COLLECTION, PAID } from '../platform/db/statuses.ts';
import { type Check, isWholeDay, within } from './check.ts';

/** Waiting rows, the loads of accounts, and the histories of orders. */
export const ORDER_CHECKS: readonly Check[] = [
  {
    name: 'every order has its merchant order number',
    walks: 'orders',
    statement: (range) => sql`
      select 'order ' || o.id || ' is not found by its number ' || o.mch_order_no as detail
      from (
        select id, merchant_id, mch_order_no, 'in' as direction from collection_orders
        union all select id, merchant_id, mch_order_no, 'out' from payout_orders
      ) o
      left join merchant_orders m on m.merchant_id = o.merchant_id and m.mch_order_no = o.mch_order_no
      where ${within(sql`o.id`, range)} and (m.order_id is distinct from o.id or m.direction <> o.direction)
      order by o.id`,
  },
  {
    name: 'every picture of an order or payout has its order',
    statement: sql`
      select 'picture ' || p.id || ' is of order ' || p.order_id || ', which is not here' as detail
      from (select id, order_id from order_pictures union all select id, order_id from payout_slips) p
      where not exists (select from collection_orders o where o.id = p.order_id)
        and not exists (select from payout_orders o where o.id = p.order_id)
      order by p.id`,
  },
  {
    name: 'exactly the allocated orders wait for money',
    statement: sql`
      select 'order ' || coalesce(o.id, w.order_id) || ' in status ' || coalesce(o.status::text, 'none')
        || case when w.order_id is null then ' does not wait' when w.timed_out then ' waits out its grace' else ' waits' end as detail
      from (select id, status from collection_orders where status = ${COLLECTION.allocated}
        union select o.id, o.status from collection_orders o join waiting_orders w on w.order_id = o.id) o
      full join waiting_orders w on w.order_id = o.id
      where (o.status = ${COLLECTION.allocated} and not w.timed_out or o.status = ${COLLECTION.timedOut} and w.timed_out) is not true
      order by 1`,
  },
  {
    name: 'every waiting order stands as its order does',
    statement: sql`
      select 'order ' || o.id || ' waits for ' || w.payable || ' on account ' || w.account_id || ' but is for ' || o.payable
        || ' on account ' || o.account_id as detail
      from waiting_orders w join collection_orders o on o.id = w.order_id
      where o.account_id is distinct from w.account_id or o.payable is distinct from w.payable
        or o.identify_code <> w.identify_code or o.supplier_id is distinct from w.supplier_id
      order by o.id`,
  },
  {
    name: "every supplier's held balance is what its waiting orders hold",
    statement: sql`
      select 'supplier ' || supplier_id || ' has ' || coalesce(a.balance, 0) || ' ' || currency || ' held, its waiting orders hold '
        || coalesce(w.held, 0) as detail
      from (
        select owner_id as supplier_id, currency, balance from ledger_accounts where owner_kind = 'supplier' and bucket = 'held'
      ) a
      full join (
        select supplier_id, currency, sum(held) as held from waiting_orders where held > 0 group by 1, 2
      ) w using (supplier_id, currency)
      where coalesce(a.balance, 0) <> coalesce(w.held, 0)
      order by supplier_id, currency`,
  },
  {
    // The keys contain the generation too, so no constraint enforces this.
    name: 'every account has one load, and one count of each day',
    statement: sql`
      select 'account ' || account_id || ' has ' || count(*) || ' loads' as detail
      from account_load group by account_id having count(*) > 1
      union all
      select 'account ' || account_id || ' has ' || count(*) || ' counts of ' || day
      from account_days group by account_id, day having count(*) > 1
      order by 1`,
  },
  {
    name: "every account's load is what waits on it",
    statement: sql`
      select 'account ' || l.account_id || ' counts ' || l.waiting_count || ' orders of ' || l.waiting_amount || ', but '
        || coalesce(w.orders, 0) || ' of ' || coalesce(w.amount, 0) || ' wait; ' || l.grace_amount || ' in grace time, but '
        || coalesce(w.grace, 0) || ' are' as detail
      from account_load l
      left join (
        select account_id, count(*) filter (where not timed_out) as orders, sum(payable) filter (where not timed_out) as amount,
          sum(payable) filter (where timed_out) as grace
        from waiting_orders group by 1) w
        on w.account_id = l.account_id
      where l.waiting_count <> coalesce(w.orders, 0) or l.waiting_amount <> coalesce(w.amount, 0)
        or l.grace_amount <> coalesce(w.grace, 0)
      order by l.account_id`,
  },
  {
    // A timed-out order that was paid later counts, unless its amount had been freed in between, which leaves no trace. So a
    // right count lies between two values.
    name: "every account's day counts what was allocated on it",
    statement: sql`
      select 'account ' || account_id || ' counts ' || coalesce(d.orders, 0) || ' orders of ' || coalesce(d.amount, 0) || ' on ' || day
        || ', but its orders are ' || coalesce(o.least, 0) || ' of ' || coalesce(o.least_amount, 0) || ' (' || coalesce(o.most, 0)
        || ' of ' || coalesce(o.most_amount, 0) || ' with late ones)' as detail
      from account_days d
      full join (
        select account_id, day, count(*) filter (where not late) as least, count(*) as most,
          sum(payable) filter (where not late) as least_amount, sum(payable) as most_amount
        from (
          select c.account_id, (c.allocated_at at time zone ${BUSINESS_TIME_ZONE})::date as day, c.payable,
            exists (select from order_events e where e.order_id = c.id and e.kind = 'timedOut') as late
          from collection_orders c where c.account_id is not null and (c.status = ${COLLECTION.allocated} or c.status in ${PAID})
        ) each group by account_id, day
      ) o using (account_id, day)
      where ${isWholeDay(sql`day`)} and (coalesce(d.orders, 0) not between coalesce(o.least, 0) and coalesce(o.most, 0)
        or coalesce(d.amount, 0) not between coalesce(o.least_amount, 0) and coalesce(o.most_amount, 0))
      order by day, account_id`,
  },
  {
    // Every status that an order had is left as often as it is reached, except the present one. Like the check of balances this
    // does not depend on the order of ids of different nodes.
    name: "every order's history leads to its status",
    walks: 'orders',
    statement: (range) => sql`
      select 'order ' || order_id || ' in status ' || current || ' has a history that ends in status ' || status as detail
      from (
        select order_id, to_status as status, 1 as reached from order_events
        where to_status is not null and ${within(sql`order_id`, range)}
        union all select order_id, from_status, -1 from order_events
        where from_status is not null and ${within(sql`order_id`, range)}
      ) steps
      join (select id, status as current from collection_orders union all select id, status from payout_orders) o
        on o.id = order_id and ${within(sql`o.id`, range)}
      group by order_id, current, status
      having sum(reached) <> case when status = current then 1 else 0 end
      order by order_id`,
  },
  {
    name: 'every order has a history',
    walks: 'orders',
    statement: (range) => sql`
      select 'order ' || o.id || ' in status ' || o.status || ' has no event that leads there' as detail
      from (select id, status from collection_orders union all select id, status from payout_orders) o
      left join (select distinct order_id, to_status from order_events where ${within(sql`order_id`, range)}) e on e.order_id = o.id and e.to_status = o.status
      where e.order_id is null and ${within(sql`o.id`, range)}
      order by o.id`,
  },
];
