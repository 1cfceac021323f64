import { sql } from '../platform/db/database.ts';
import { PAID } from '../platform/db/statuses.ts';
import type { Check } from './check.ts';
import { CURRENCIES_SUM_TO_ZERO } from './ledger-checks.ts';

/**
 * The checks of what has changed since an id: their cost grows with the traffic, not with the history. The whole run finds
 * older faults.
 */
export function recentChecks(since: bigint): readonly Check[] {
  return [
    CURRENCIES_SUM_TO_ZERO,
    {
      name: "every recent posting's entries are all there and sum to zero",
      statement: sql`
        select 'posting ' || p.id || ' (' || p.key || ') has ' || coalesce(e.entries, 0) || ' of ' || p.entry_count
          || ' entries, which sum to ' || coalesce(e.amount, 0) as detail
        from postings p
        left join (
          select posting_id, count(*) as entries, sum(amount) as amount from ledger_entries where id >= ${since} group by 1
        ) e on e.posting_id = p.id
        where p.id >= ${since} and (e.entries is distinct from p.entry_count or e.amount <> 0)
        order by p.id`,
    },
    {
      // As in the whole check, but each balance starts from its value before the recent entries.
      name: 'recent balances run on from entry to entry',
      statement: sql`
        with recent as (
          select id, account_id, amount, balance_after from ledger_entries where id >= ${since}
        ), moved as (
          select a.id, a.balance, a.balance - m.amount as before
          from (select account_id, sum(amount) as amount from recent group by 1) m join ledger_accounts a on a.id = m.account_id
        )
        select 'account ' || account_id || ' is at ' || balance || ' by its entries '
          || case when sum(reached) > 0 then 'once too often' else 'less often than they leave it' end
          || coalesce(' (entry ' || min(entry_id) || ')', '') as detail
        from (
          select account_id, balance_after - amount as balance, -1 as reached, id as entry_id from recent
          union all select account_id, balance_after, 1, id from recent
          union all select id, before, 1, null from moved
          union all select id, balance, -1, null from moved
        ) steps
        group by account_id, balance having sum(reached) <> 0
        order by min(entry_id)`,
    },
    {
      name: 'every order paid lately was posted, and nothing was posted for another',
      statement: sql`
        select 'order ' || e.order_id || ' was paid, but has no posting' as detail
        from (
          select distinct order_id from order_events where id >= ${since} and kind in ('paid', 'supplemented')
        ) e
        left join postings p on p.key = 'collection/' || e.order_id
        where p.id is null
        union all
        select 'posting ' || p.id || ' (' || p.key || ') is of an order in status ' || coalesce(o.status::text, 'none')
        from postings p left join collection_orders o on o.id = p.order_id
        where p.id >= ${since} and p.kind in ('collection', 'collectionOffset') and (o.status in ${PAID}) is not true
        order by 1`,
    },
    {
      name: 'every recent posting has the amounts its order shows',
      statement: sql`
        select 'order ' || o.id || ' received ' || o.received || ', fee ' || o.fee || ', but the ledger has merchant '
          || m.merchant || ', others ' || m.others as detail
        from (
          select p.order_id, coalesce(sum(e.amount) filter (where a.owner_kind = 'merchant'), 0) as merchant,
            coalesce(sum(e.amount) filter (where a.owner_kind = 'supplier' or a.bucket in ('revenue', 'suspense')), 0) as others
          from postings p join ledger_entries e on e.posting_id = p.id and e.id >= ${since}
          join ledger_accounts a on a.id = e.account_id
          where p.id >= ${since} and p.kind in ('collection', 'collectionOffset') group by 1
        ) m join collection_orders o on o.id = m.order_id
        where (m.merchant <> o.received - o.fee or m.others <> o.fee - o.received) is not false
        order by o.id`,
    },
  ];
}
