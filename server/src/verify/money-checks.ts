import { sql } from '../platform/db/database.ts';
import { PAID } from '../platform/db/statuses.ts';
import { type Check, isArchived, within } from './check.ts';

/**
 * What the postings of each order moved, by kind of account. Commissions are counted in the total of the supplier's and agents'
 * accounts, because a commission may repay a debt, even one of the same posting, and then has no entry in a bucket of its own.
 */
export const MOVED = sql`
  select p.order_id,
    sum(e.amount) filter (where a.owner_kind = 'merchant') as merchant,
    coalesce(sum(e.amount) filter (where a.owner_kind = 'supplier'), 0) as suppliers,
    coalesce(sum(e.amount) filter (where a.bucket = 'revenue'), 0) as revenue
  from postings p join ledger_entries e on e.posting_id = p.id join ledger_accounts a on a.id = e.account_id`;

/** Orders against the ledger. A reversed order keeps its posting and has its mirror too. */
export const MONEY_CHECKS: readonly Check[] = [
  {
    name: 'every paid order has exactly one posting, an unpaid one none',
    walks: 'collection_orders',
    statement: (range) => sql`
      select 'order ' || o.id || ' in status ' || o.status || ' has ' || count(p.id) || ' postings' as detail
      from collection_orders o
      left join postings p on p.order_id = o.id and p.kind in ('collection', 'collectionOffset')
      where ${within(sql`o.id`, range)}
      group by o.id, o.status
      having count(p.id) filter (where p.key = 'collection/' || o.id) <> case when o.status in ${PAID} then 1 else 0 end
        or count(p.id) > 1
      order by o.id`,
  },
  {
    name: 'every collection posting has its order',
    walks: 'postings',
    statement: (range) => sql`
      select 'posting ' || p.id || ' (' || p.key || ') names no collection order' as detail
      from postings p left join collection_orders o on o.id = p.order_id
      where p.kind in ('collection', 'collectionOffset') and o.id is null and ${within(sql`p.id`, range)}
        and not ${isArchived(sql`p.order_id`)}
      order by p.id`,
  },
  {
    name: 'every paid order was posted with the amounts it shows',
    walks: 'collection_orders',
    statement: (range) => sql`
      select 'order ' || o.id || ' received ' || o.received || ', fee ' || o.fee || ' (supplier ' || o.supplier_commission
        || ', agent ' || o.agent_commission || '), but the ledger has merchant ' || m.merchant || ', suppliers '
        || m.suppliers || ', revenue ' || m.revenue as detail
      from collection_orders o
      cross join lateral (${MOVED} where p.order_id = o.id and p.kind in ('collection', 'collectionOffset') group by p.order_id) m
      cross join lateral (select bool_or(p.kind = 'collection') as charged from postings p where p.key = 'collection/' || o.id) k
      where o.status in ${PAID} and ${within(sql`o.id`, range)}
        and (coalesce(m.merchant, 0) <> o.received - o.fee
          or m.suppliers <> o.supplier_commission + o.agent_commission - case when k.charged then o.received else 0 end
          or o.supplier_commission + o.agent_commission + m.revenue <> o.fee) is not false
      order by o.id`,
  },
  {
    name: 'exactly the reversed orders, and test orders that were paid, have a mirror posting',
    statement: sql`
      select 'order ' || coalesce(o.id, p.order_id) || case when p.id is null then ' is reversed, but nothing was posted back'
        else ' is not reversed, but posting ' || p.id || ' takes its posting ' || p.reverses || ' back' end as detail
      from (
        select id from collection_orders where reversed_at is not null
        union all select o.id from test_orders t join merchant_orders m using (merchant_id, mch_order_no)
          join collection_orders o on o.id = m.order_id and o.received is not null
        union all select id from payout_orders where reversed_at is not null
      ) o
      full join (select id, order_id, reverses from postings where reverses is not null and order_id is not null) p
        on p.order_id = o.id
      where (o.id is null or p.id is null) and not ${isArchived(sql`coalesce(o.id, p.order_id)`)}
      order by 1`,
  },
  {
    name: 'every settlement moved what its row says, once',
    statement: sql`
      select 'posting ' || coalesce(p.id, r.posting_id) || ' moved ' || coalesce(p.amount, 0) || ' of pending money, its run says '
        || coalesce(r.amount, 0) as detail
      from (
        select p.id, a.id as account_id, -e.amount as amount
        from postings p join ledger_entries e on e.posting_id = p.id join ledger_accounts a on a.id = e.account_id
        where p.kind = 'settlement' and a.bucket = 'pending'
      ) p
      full join settlement_rows r on r.posting_id = p.id
      where (p.amount = r.amount and p.account_id = r.ledger_account_id) is not true
      order by 1`,
  },
  {
    // What an owner could not give became its debt, so an owner's entries must cancel out as a sum; the platform's cancel out
    // per bucket.
    name: 'a posting and its mirror cancel out for every owner',
    statement: sql`
      select 'posting ' || mirror || ' leaves ' || sum(e.amount) || ' of posting ' || reverses || ' with ' || a.owner_kind || ' '
        || a.owner_id as detail
      from (
        select id as mirror, reverses, id as posting_id from postings where reverses is not null
        union all select id, reverses, reverses from postings where reverses is not null
      ) p
      join ledger_entries e on e.posting_id = p.posting_id join ledger_accounts a on a.id = e.account_id
      group by mirror, reverses, a.owner_kind, a.owner_id, case a.owner_kind when 'platform' then a.bucket end
      having sum(e.amount) <> 0
      order by mirror`,
  },
];
