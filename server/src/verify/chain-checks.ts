import { sql } from '../platform/db/database.ts';
import type { Check } from './check.ts';

/** The trusted chain: links are mutual and exact, gaps are closed once, and no message is held twice. */
export const CHAIN_CHECKS: readonly Check[] = [
  {
    name: 'every link of a chain joins two nodes that name each other, at the same balance',
    statement: sql`
      select 'node ' || n.id || ' is followed by ' || n.next_id || case when o.id is null then ', which does not exist'
        when o.previous_id is distinct from n.id then ', which follows ' || coalesce(o.previous_id::text, 'none')
        else ' from ' || o.balance_before || ', but ends at ' || n.balance end as detail
      from chain_nodes n left join chain_nodes o on o.account_id = n.account_id and o.id = n.next_id
      where n.next_id is not null and (o.previous_id = n.id and o.balance_before = n.balance) is not true
      union all
      select 'node ' || n.id || ' follows ' || n.previous_id || ', which is followed by ' || coalesce(p.next_id::text, 'none')
      from chain_nodes n left join chain_nodes p on p.account_id = n.account_id and p.id = n.previous_id
      where n.previous_id is not null and p.next_id is distinct from n.id`,
  },
  {
    name: 'every live patch closes its gap with its whole sum, and no other',
    statement: sql`
      select 'patch ' || p.id || ' of ' || p.amount || ' for gap ' || p.gap_id || ' of ' || g.delta || ' (' || g.state || ') has nodes of '
        || coalesce(n.amount, 0) as detail
      from chain_patches p join chain_gaps g on g.id = p.gap_id
      left join lateral (
        select sum(c.amount) as amount from chain_nodes c where c.account_id = p.account_id and c.patch_id = p.id) n on true
      where p.state = 'live' and (g.state = 'patched' and n.amount = g.delta and p.amount = g.delta) is not true
      union all
      select 'gap ' || g.id || ' is patched by no live patch' from chain_gaps g
      where g.state = 'patched' and not exists (select from chain_patches p where p.gap_id = g.id and p.state = 'live')`,
  },
  {
    name: 'what waits for its chain is a held message, and every such message waits',
    statement: sql`
      select 'message ' || m.id || ' is held for its chain, but waits for nothing' as detail
      from messages m where m.state = 'held' and m.reason = 'chain'
        and not exists (select from chain_holds h where h.message_id = m.id)
      order by m.id`,
  },
  {
    name: 'a message that waits before it is matched is held, and every such message waits',
    statement: sql`
      select 'message ' || coalesce(m.id, d.message_id) || case when d.message_id is null then ' is held back, but waits for nothing'
        else ' waits to be matched, but is ' || coalesce(m.state, 'not stored') end as detail
      from (select * from messages where state = 'held' and reason = 'delay') m full join delayed_messages d on d.message_id = m.id
      where m.id is null or d.message_id is null
      order by 1`,
  },
];
