import { SUPPLEMENT_APPROVAL_FROM } from '@sangam/contract/approvals.ts';
import { SET_ASIDE_STATES } from '@sangam/contract/chain.ts';
import { HOURS_BEFORE_ORDER } from '@sangam/contract/evidence.ts';
import { movedAtOf } from '../evidence/matching/reported-amounts.ts';
import { DAY, MINUTE } from '../platform/clock.ts';
import { type Sql, sql } from '../platform/db/database.ts';
import { PAID, PAYOUT } from '../platform/db/statuses.ts';
import { firstIdAt } from '../platform/db/ids.ts';
import { type Check, type IdRange, within } from './check.ts';

const STANDS = sql`o.status in ${PAID} and o.reversed_at is null`;
const ms = (length: number): Sql => sql`${length} * interval '1 millisecond'`;
/** How far clocks of banks and phones may differ; banks also print only minutes. */
const CLOCKS = ms(10 * MINUTE);
/** Two messages of one movement come within this range of ids (a day). */
const APART = firstIdAt(new Date(Date.UTC(2020, 0, 1) + DAY));

const isNear = sql`${movedAtOf(sql`x`)} between ${movedAtOf(sql`m`)} - ${CLOCKS} and ${movedAtOf(sql`m`)} + ${CLOCKS}`;

const hoursBefore = sql`(case o.currency when 'INR' then ${HOURS_BEFORE_ORDER.INR}::int
  when 'KES' then ${HOURS_BEFORE_ORDER.KES}::int else ${HOURS_BEFORE_ORDER.USDT}::int end) * interval '1 hour'`;
const approvalFrom = sql`(case o.currency when 'INR' then ${SUPPLEMENT_APPROVAL_FROM.INR}::bigint
  when 'KES' then ${SUPPLEMENT_APPROVAL_FROM.KES}::bigint else ${SUPPLEMENT_APPROVAL_FROM.USDT}::bigint end)`;
/** Supplements (events `e`) of paid orders (`o`) in a range, with their users (`u`) and their approvals by two people (`a`). */
const supplements = (range: IdRange): Sql => sql`
  collection_orders o join order_events e on e.order_id = o.id and e.kind = 'supplemented' and e.actor_kind = 'user'
  join users u on u.id = e.actor_id
  left join approvals a on a.id = (e.data->>'approvalId')::bigint and a.status = 'approved' and a.started_by <> a.decided_by
  where ${STANDS} and ${within(sql`o.id`, range)}`;

/** Compares payments with what the banks said, and says who decided where the banks said nothing. */
export const PROOF_CHECKS: readonly Check[] = [
  {
    name: "every paid order has a message of its account, amount and time, or a named person's decision",
    walks: 'collection_orders',
    statement: (range) => sql`
      select 'order ' || o.id || ' of account ' || coalesce(o.account_id::text, 'none') || ' was paid ' || o.received
        || case when m.id is null then ', which no message and no person says'
          else ' by message ' || m.id || ' of account ' || m.account_id || ', ' || m.amount || ' at ' || ${movedAtOf(sql`m`)} end as detail
      from collection_orders o
      left join message_matches mm on mm.order_id = o.id
      left join messages m on m.id = mm.message_id
      where ${STANDS} and ${within(sql`o.id`, range)}
        and not exists (select from order_events e
          where e.order_id = o.id and e.kind = 'supplemented' and e.actor_kind = 'user' and e.actor_id is not null)
        and (m.account_id = o.account_id and m.amount = o.received and m.direction = 'credit'
          and ${movedAtOf(sql`m`)} >= o.allocated_at - ${CLOCKS} - case mm.evidence when 'payerUtr' then ${hoursBefore} else interval '0' end
          and ${movedAtOf(sql`m`)} <= o.expires_at + ${CLOCKS} + ${ms(DAY)}) is not true
      order by o.id`,
  },
  {
    name: 'a supplement that needs a second person has one',
    walks: 'collection_orders',
    statement: (range) => sql`
      select 'order ' || o.id || ' of ' || o.received || ' was supplemented by ' || u.role || ' ' || u.id || ' alone' as detail
      from ${supplements(range)} and a.id is null and u.role <> 'superAdmin'
        and (o.received >= ${approvalFrom} or u.role = 'supplier' and (e.data->>'offset')::boolean)
      order by o.id`,
  },
  {
    name: 'a reversal by a person is two people’s, or a superAdmin’s by another user’s bank file',
    walks: 'orders',
    // The user may have been a superAdmin then and is not any more: any record of that role counts.
    statement: (range) => sql`
      select 'order ' || e.order_id || ' was reversed by ' || u.role || ' ' || u.id || ' alone' as detail
      from order_events e join users u on u.id = e.actor_id
      left join approvals a on a.id = (e.data->>'approvalId')::bigint and a.status = 'approved' and a.started_by <> a.decided_by
      where ${within(sql`e.order_id`, range)} and e.kind = 'reversed' and e.actor_kind = 'user' and a.id is null
        and (e.data->>'batchId' is null or u.role <> 'superAdmin'
          and not exists (select from user_control_changes c where c.user_id = u.id and c.change = 'role' and c.created_at > e.created_at))
      order by e.order_id`,
  },
  {
    name: "no supplier's own statement put it into debt",
    // A message that its chain corroborated then may be contradicted since. The chain reports that; it is not a fault of the
    // books.
    walks: 'collection_orders',
    statement: (range) => sql`
      select 'order ' || o.id || ', which supplier ' || o.supplier_id || ' supplemented itself, left it ' || -d.amount || ' in debt' as detail
      from (select o.id, o.supplier_id, o.account_id, e.id as event_id from ${supplements(range)} and a.id is null and u.role = 'supplier') o
      join lateral (
        select sum(l.amount) as amount from postings p join ledger_entries l on l.posting_id = p.id
        join ledger_accounts c on c.id = l.account_id
        where p.order_id = o.id and p.kind = 'collection' and c.owner_kind = 'supplier' and c.owner_id = o.supplier_id and c.bucket = 'debt'
      ) d on d.amount <> 0
      where not exists (select from message_matches mm join chain_nodes n on n.account_id = o.account_id and n.id = mm.message_id
        where mm.order_id = o.id and (n.state <> all(${SET_ASIDE_STATES})
          or exists (select from chain_nodes x where x.account_id = n.account_id and x.id > o.event_id
            and (x.state = 'fork' or x.balance_before = n.balance_before))))
      order by o.id`,
  },
  {
    name: 'no movement pays twice, in whatever wording',
    walks: 'messages',
    statement: (range) => sql`
      select 'messages ' || m.id || ' and ' || x.id || ' tell of one ' || m.direction || ' of ' || m.amount || ', and completed the orders '
        || m.order_id || ' and ' || x.order_id as detail
      from messages m join messages x on x.account_id = m.account_id and x.amount = m.amount and x.direction = m.direction
      where m.state = 'matched' and x.state = 'matched' and m.order_id <> x.order_id and m.id < x.id
        and ${within(sql`m.id`, range)} and x.id >= ${range.from} and x.id - ${APART} < ${range.below} and x.id - m.id < ${APART}
        and (x.utr = m.utr
          or x.balance = m.balance and (x.utr is null or m.utr is null) and ${isNear}
          or x.monitor_id = m.monitor_id and x.sender = m.sender and x.text = m.text and x.received_at = m.received_at)
      order by m.id`,
  },
  {
    name: 'no order explains two messages',
    walks: 'orders',
    statement: (range) => sql`
      select 'order ' || m.order_id || ' is said to have ' || count(*) || ' messages: ' || string_agg(m.id::text, ', ' order by m.id) as detail
      from messages m where m.state = 'matched' and ${within(sql`m.order_id`, range)}
      group by m.order_id having count(*) > 1
      order by m.order_id`,
  },
  {
    name: "every completed payout has its debit, a gateway's answer, or a named person's decision",
    walks: 'payout_orders',
    statement: (range) => sql`
      select 'payout ' || o.id || ' of ' || o.amount || ' counts as proven, but nobody but its supplier says so' as detail
      from payout_orders o
      where o.status = ${PAYOUT.completed} and not o.unproven and o.reversed_at is null and ${within(sql`o.id`, range)}
        and not exists (select from message_matches mm join messages m on m.id = mm.message_id
          where mm.order_id = o.id and m.direction = 'debit' and m.amount = o.amount
            and (o.account_id is null or o.account_id = m.account_id))
        and not exists (select from order_events e left join users u on u.id = e.actor_id and u.role = 'supplier'
          where e.order_id = o.id and u.id is null and (e.kind in ('completed', 'proofAccepted') and e.actor_kind = 'user'
            or e.kind = 'completed' and e.data->>'by' = 'gateway'))
      order by o.id`,
  },
];
