import { sql } from '../platform/db/database.ts';
import type { Check } from './check.ts';

export const CURRENCIES_SUM_TO_ZERO: Check = {
  name: 'the balances of every currency sum to zero',
  statement: sql`
    select currency || ' is off by ' || sum(balance) as detail
    from ledger_accounts group by currency having sum(balance) <> 0 order by currency`,
};

/** Double entry, from the entries up. */
export const LEDGER_CHECKS: readonly Check[] = [
  CURRENCIES_SUM_TO_ZERO,
  {
    name: "every posting's entries are all there and sum to zero",
    statement: sql`
      select 'posting ' || p.id || ' (' || p.key || ') has ' || coalesce(e.entries, 0) || ' of ' || p.entry_count
        || ' entries, which sum to ' || coalesce(e.amount, 0) as detail
      from postings p
      left join (select posting_id, count(*) as entries, sum(amount) as amount from ledger_entries group by posting_id) e
        on e.posting_id = p.id
      where e.entries is distinct from p.entry_count or e.amount <> 0
      order by p.id`,
  },
  {
    name: "every entry has its posting and an account of the posting's currency",
    statement: sql`
      select 'entry ' || e.id || case when p.id is null then ' has no posting'
        when a.id is null then ' has no account'
        else ' of posting ' || p.id || ' in ' || p.currency || ' is on an account in ' || a.currency end as detail
      from ledger_entries e left join postings p on p.id = e.posting_id left join ledger_accounts a on a.id = e.account_id
      where p.id is null or a.id is null or a.currency <> p.currency
      order by e.id`,
  },
  {
    name: "every balance is the sum of its account's entries",
    statement: sql`
      select 'account ' || a.id || ' (' || a.owner_kind || ' ' || a.owner_id || ', ' || a.bucket || ') has ' || a.balance
        || ', its entries sum to ' || coalesce(e.amount, 0) as detail
      from ledger_accounts a
      left join (select account_id, sum(amount) as amount from ledger_entries group by account_id) e on e.account_id = a.id
      where a.balance <> coalesce(e.amount, 0)
      order by a.id`,
  },
  {
    // Each entry leads from one balance to the next, so every balance an account has had is left as often as it is
    // reached, the first being 0 and the last the current one. Ids are not used for the order: two nodes whose clocks
    // differ by a millisecond may number two entries the other way round.
    name: 'balances run on from entry to entry',
    statement: sql`
      select 'account ' || account_id || ' is at ' || balance || ' by its entries '
        || case when sum(reached) > 0 then 'once too often' else 'less often than they leave it' end
        || coalesce(' (entry ' || min(entry_id) || ')', '') as detail
      from (
        select account_id, balance_after - amount as balance, -1 as reached, id as entry_id from ledger_entries
        union all select account_id, balance_after, 1, id from ledger_entries
        union all select id, 0, 1, null from ledger_accounts
        union all select id, balance, -1, null from ledger_accounts
      ) steps
      group by account_id, balance having sum(reached) <> 0
      order by min(entry_id)`,
  },
];
