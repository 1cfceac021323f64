import { type Sql, sql } from '../platform/db/database.ts';
import { type Check, within } from './check.ts';

const hash = (balance: Sql): Sql => sql`hashint8extended(${balance}, 0)::numeric`;

export const CURRENCIES_SUM_TO_ZERO = {
  name: 'the balances of every currency sum to zero',
  statement: sql`
    select currency || ' is off by ' || sum(balance) as detail
    from ledger_accounts group by currency having sum(balance) <> 0 order by currency`,
} satisfies Check;

/** Double entry, starting from the entries. */
export const LEDGER_CHECKS: readonly Check[] = [
  CURRENCIES_SUM_TO_ZERO,
  {
    name: "every posting's entries are all there and sum to zero",
    walks: 'postings',
    statement: (range) => sql`
      select 'posting ' || p.id || ' (' || p.key || ') has ' || coalesce(e.entries, 0) || ' of ' || p.entry_count
        || ' entries, which sum to ' || coalesce(e.amount, 0) as detail
      from postings p
      cross join lateral (
        select count(*) as entries, sum(amount) as amount from ledger_entries where posting_id = p.id) e
      where ${within(sql`p.id`, range)} and (e.entries <> p.entry_count or e.amount <> 0)
      order by p.id`,
  },
  {
    name: "every entry has its posting and an account of the posting's currency",
    walks: 'ledger_entries',
    statement: (range) => sql`
      select 'entry ' || e.id || case when p.id is null then ' has no posting'
        when a.id is null then ' has no account'
        else ' of posting ' || p.id || ' in ' || p.currency || ' is on an account in ' || a.currency end as detail
      from ledger_entries e left join postings p on p.id = e.posting_id left join ledger_accounts a on a.id = e.account_id
      where ${within(sql`e.id`, range)} and (p.id is null or a.id is null or a.currency <> p.currency)
      order by e.id`,
  },
  {
    name: "every balance is the sum of its account's entries",
    walks: 'ledger_entries',
    part: (range) => sql`
      select account_id as id, sum(amount)::text as value from ledger_entries where ${within(sql`id`, range)} group by account_id`,
    whole: sql`select id, balance::text as value from ledger_accounts`,
    exact: (id) => sql`
      select 'account ' || a.id || ' (' || a.owner_kind || ' ' || a.owner_id || ', ' || a.bucket || ') has ' || a.balance
        || ', its entries sum to ' || coalesce(e.amount, 0) as detail
      from (select ${id}::bigint as id) asked join ledger_accounts a using (id)
      cross join lateral (select sum(amount) as amount from ledger_entries where account_id = a.id) e
      where a.balance <> coalesce(e.amount, 0)`,
  },
  {
    // Each entry leads from one balance to the next. So every balance that an account had is left as often as it is reached;
    // the first is 0 and the last is the present one. Ids give no order: two nodes whose clocks differ by a millisecond may
    // number two entries the wrong way round. The ranges add up hashes of the balances reached and left, which must cancel out;
    // an account where they do not is read as a whole.
    name: 'balances run on from entry to entry',
    walks: 'ledger_entries',
    part: (range) => sql`
      select account_id as id, sum(${hash(sql`balance_after`)} - ${hash(sql`balance_after - amount`)})::text as value
      from ledger_entries where ${within(sql`id`, range)} group by account_id`,
    whole: sql`select id, (${hash(sql`balance`)} - ${hash(sql`0::bigint`)})::text as value from ledger_accounts`,
    exact: (id) => sql`
      select 'account ' || ${id}::bigint || ' is at ' || balance || ' by its entries '
        || case when sum(reached) > 0 then 'once too often' else 'less often than they leave it' end
        || coalesce(' (entry ' || min(entry_id) || ')', '') as detail
      from (
        select balance_after - amount as balance, -1 as reached, id as entry_id from ledger_entries where account_id = ${id}
        union all select balance_after, 1, id from ledger_entries where account_id = ${id}
        union all select 0, 1, null from ledger_accounts where id = ${id}
        union all select balance, -1, null from ledger_accounts where id = ${id}
      ) steps
      group by balance having sum(reached) <> 0
      order by min(entry_id)`,
  },
];
