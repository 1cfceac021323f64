import { sql } from '../platform/db/database.ts';
import { PAYOUT } from '../platform/db/statuses.ts';
import { type Check, isArchived, isWholeDay, within } from './check.ts';
import { MOVED } from './money-checks.ts';

/** Payouts against the ledger. A reversed payout keeps the posting that paid it and has its mirror too. */
export const PAYOUT_CHECKS: readonly Check[] = [
  {
    name: 'every payout has the postings of its status',
    walks: 'payout_orders',
    statement: (range) => sql`
      select 'payout ' || o.id || ' in status ' || o.status || ' has the postings '
        || coalesce(string_agg(p.kind, ', ' order by p.id), 'none') as detail
      from payout_orders o
      left join postings p on p.order_id = o.id and p.kind in ('payoutCreated', 'payoutCompleted', 'payoutReturned')
      where ${within(sql`o.id`, range)}
      group by o.id, o.status, o.reversed_at
      having count(*) filter (where p.kind = 'payoutCreated') <> 1
        or count(*) filter (where p.kind = 'payoutCompleted') <> case when o.status = ${PAYOUT.completed} or o.reversed_at is not null then 1 else 0 end
        or count(*) filter (where p.kind = 'payoutReturned') <> case when o.status in (${PAYOUT.cancelled}, ${PAYOUT.rejected}) and o.reversed_at is null then 1 else 0 end
        or o.reversed_at is not null and o.status <> ${PAYOUT.rejected}
      order by o.id`,
  },
  {
    name: 'every completed payout took its amount and fee from its merchant',
    walks: 'payout_orders',
    statement: (range) => sql`
      select 'payout ' || o.id || ' of ' || o.amount || ', fee ' || o.fee || ' moved ' || m.merchant || ' of its merchant, suppliers '
        || m.suppliers || ', revenue ' || m.revenue as detail
      from payout_orders o cross join lateral (${MOVED} where p.order_id = o.id and p.kind = 'payoutCompleted' group by p.order_id) m
      where ${within(sql`o.id`, range)} and (o.status = ${PAYOUT.completed} or o.reversed_at is not null)
        and (m.merchant <> -(o.amount + o.fee)
          or m.suppliers <> o.supplier_commission + o.agent_commission + case when o.supplier_id is null then 0 else o.amount end
          or o.supplier_commission + o.agent_commission + m.revenue <> o.fee) is not false
      order by o.id`,
  },
  {
    name: 'every payout froze its amount and fee, and one that ended unpaid got them back',
    walks: 'payout_orders',
    statement: (range) => sql`
      select 'payout ' || o.id || ' of ' || o.amount || ', fee ' || o.fee || ': ' || p.kind || ' moved '
        || coalesce(sum(e.amount) filter (where a.bucket = 'frozen'), 0) || ' of its merchant''s frozen balance' as detail
      from payout_orders o
      join postings p on p.order_id = o.id and p.kind in ('payoutCreated', 'payoutCompleted', 'payoutReturned')
      join ledger_entries e on e.posting_id = p.id
      join ledger_accounts a on a.id = e.account_id
      where ${within(sql`o.id`, range)}
      group by o.id, o.amount, o.fee, o.merchant_id, p.id, p.kind
      having coalesce(sum(e.amount) filter (where a.bucket = 'frozen' and a.owner_kind = 'merchant' and a.owner_id = o.merchant_id), 0)
        <> case p.kind when 'payoutCreated' then o.amount + o.fee else -(o.amount + o.fee) end
      order by o.id`,
  },
  {
    name: "what is unproven of every supplier's deposit is what its payouts say",
    statement: sql`
      select 'supplier ' || coalesce(a.owner_id, o.supplier_id) || ' has ' || coalesce(a.unproven, 0) || ' ' || coalesce(a.currency, o.currency)
        || ' unproven, its payouts say ' || coalesce(o.amount, 0) as detail
      from (select * from ledger_accounts where owner_kind = 'supplier' and bucket = 'deposit') a
      full join (select supplier_id, currency, sum(amount) as amount from payout_orders where unproven and supplier_id is not null group by 1, 2) o
        on o.supplier_id = a.owner_id and o.currency = a.currency
      where coalesce(a.unproven, 0) <> coalesce(o.amount, 0)
      order by 1`,
  },
  {
    name: "every merchant's frozen balance is what its open payouts hold",
    statement: sql`
      select 'merchant ' || merchant_id || ' has ' || coalesce(a.balance, 0) || ' ' || currency || ' frozen, its open payouts hold '
        || coalesce(o.held, 0) as detail
      from (
        select owner_id as merchant_id, currency, sum(balance) as balance from ledger_accounts
        where owner_kind = 'merchant' and bucket = 'frozen' group by 1, 2
      ) a
      full join (
        select merchant_id, currency, sum(amount + fee) as held from payout_orders
        where status not in (${PAYOUT.completed}, ${PAYOUT.cancelled}, ${PAYOUT.rejected}) group by 1, 2
      ) o using (merchant_id, currency)
      where coalesce(a.balance, 0) <> coalesce(o.held, 0)
      order by merchant_id, currency`,
  },
  {
    name: 'every payout posting has its payout',
    walks: 'postings',
    statement: (range) => sql`
      select 'posting ' || p.id || ' (' || p.key || ') names no payout order' as detail
      from postings p left join payout_orders o on o.id = p.order_id
      where p.kind in ('payoutCreated', 'payoutCompleted', 'payoutReturned') and o.id is null and ${within(sql`p.id`, range)}
        and not ${isArchived(sql`p.order_id`)}
      order by p.id`,
  },
  {
    name: 'a payout under claim has its claimer, a waiting one nobody',
    walks: 'payout_orders',
    statement: (range) => sql`
      select 'payout ' || o.id || ' in status ' || o.status || ' with supplier ' || coalesce(o.supplier_id::text, 'none')
        || ' and ' || o.attempt || ' attempts is nobody''s to pay' as detail
      from payout_orders o
      where ${within(sql`o.id`, range)} and (o.status = ${PAYOUT.waiting} and (o.claimed_until is not null or o.sending_since is not null)
        or o.status = ${PAYOUT.preparing} and o.supplier_id is null and o.attempt = 0 and o.locked_by is null)
      order by o.id`,
  },
  {
    // Only rows of payout products: for other products the supplier's collection orders count.
    name: "every counted day of a supplier's payouts holds what it took on that day",
    statement: sql`
      select 'supplier ' || d.owner_id || ' counts ' || d.orders || ' payouts of ' || d.amount || ' for product ' || d.product_id
        || ' on ' || d.day || ', but took ' || coalesce(o.orders, 0) || ' of ' || coalesce(o.amount, 0) as detail
      from user_product_days d
      join products p on p.id = d.product_id and p.direction = 'out'
      left join (
        select supplier_id, product_id, taken_on, count(*) as orders, sum(amount) as amount from payout_orders
        where taken_on is not null and (status not in (${PAYOUT.cancelled}, ${PAYOUT.rejected}) or reversed_at is not null) group by 1, 2, 3
      ) o on o.supplier_id = d.owner_id and o.product_id = d.product_id and o.taken_on = d.day
      where d.owner_kind = 'supplier' and ${isWholeDay(sql`d.day`)} and (d.orders <> coalesce(o.orders, 0) or d.amount <> coalesce(o.amount, 0))
      order by d.day, d.owner_id`,
  },
];
