import type { SettingValues } from '@sangam/contract/settings.ts';
import { sql } from '../../../platform/db/database.ts';
import { SUPPLEMENTED } from '../../../platform/db/statuses.ts';
import { minutes, type Preview, recentOrders, seconds } from './line.ts';

/** Previews computed from messages, chains and sessions. */

export const ipChanged: Preview<boolean> = ({ value, since, now }) =>
  value
    ? [
        {
          key: 'sessionsElsewhere',
          statement: sql`
            select null::bigint as id from sessions s
            where s.created_at >= ${now}::timestamptz - interval '7 days' and exists (
              select from audit_log a where a.user_id = s.user_id and a.ip <> s.ip
                and a.created_at between s.created_at and coalesce(s.ended_at, s.last_seen_at)
                and not exists (select from sessions other where other.user_id = s.user_id and other.ip = a.ip
                  and a.created_at between other.created_at and coalesce(other.ended_at, other.last_seen_at)))`,
        },
        {
          key: 'payersElsewhere',
          statement: sql`
            select o.id from ${recentOrders(since)} o
            where o.client_ip is not null and exists (
              select from order_events e where e.order_id = o.id and e.actor_kind = 'payer' and e.ip <> o.client_ip)`,
        },
      ]
    : [];

export const globalSecurity: Preview<SettingValues['GlobalSecuritySetting']> = ({ value, since, now }) => [
  {
    key: 'addressesFrequent',
    statement: sql`
      select id from (
        select o.id, row_number() over (partition by o.client_ip, date_trunc('minute', o.created_at) order by o.id) as place
        from ${recentOrders(since)} o where o.client_ip is not null
      ) each where place > ${value.perMinuteFreqCount}`,
  },
  {
    key: 'messagesSurplus',
    statement: sql`
      select order_id as id from (
        select m.order_id, row_number() over (partition by n.account_id, n.minute order by n.place, n.id) as place
        from chain_nodes n join messages m on m.id = n.id
        where n.kind = 'message' and n.id >= ${since} and n.minute >= ${sinceMinute(now)}
      ) each where place > ${value.perMinuteFreqCount}`,
  },
  {
    key: 'heldTooLong',
    statement: sql`
      select id from (${heldAndPaid(since)}) h where paid_at > reported_at + ${minutes(value.lookForwardMinutes)}`,
  },
];

export const securityFreq: Preview<SettingValues['SecurityFreqParameters']> = ({
  value,
  settings,
  since,
}) => {
  const { minReliableCheckAmount: before } = settings.SecurityFreqParameters;
  const { minReliableCheckAmount: after, minReliableCheckSize, minReliableCheckTimeRange } = value;
  const own = sql`
    select m.id as message_id, m.order_id as id, m.amount, m.account_id, n.minute from messages m
    join chain_nodes n on n.account_id = m.account_id and n.id = m.id
    join collection_orders o on o.id = m.order_id and o.supplement_status <> ${SUPPLEMENTED}
    where m.id >= ${since} and m.state = 'matched' and m.direction = 'credit'`;
  return [
    {
      key: 'nowChecked',
      statement: sql`select id from (${own}) c where amount >= ${after} and amount < ${before}`,
    },
    {
      key: 'noLongerChecked',
      statement: sql`
        select id from (
          select id, amount from (${heldAndPaid(since)}) h
          union all select order_id, amount from messages
            where id >= ${since} and direction = 'credit' and (state = 'held' and reason = 'chain' or state = 'untrusted')
        ) held where amount >= ${before} and amount < ${after}`,
    },
    {
      key: 'fewNeighbours',
      statement: sql`
        select id from (${own}) c where amount >= ${after} and (
          select count(*) from chain_nodes n where n.account_id = c.account_id and n.kind = 'message'
            and n.minute between c.minute - ${minReliableCheckTimeRange} and c.minute + ${minReliableCheckTimeRange}
        ) < ${minReliableCheckSize}`,
    },
  ];
};

export const patchLimit: Preview<number> = ({ value, settings, since }) => {
  const before = settings.FixSecurityChainSupplementLimit;
  const patches = (low: number, high: number) => sql`
    select o.id from chain_patches p left join lateral unnest(p.order_ids) as o (id) on true
    where p.id >= ${since} and cardinality(p.order_ids) > ${low} and cardinality(p.order_ids) <= ${high}`;
  return [
    { key: 'patchesWait', statement: patches(value, before) },
    { key: 'patchesAlone', statement: patches(before, value) },
  ];
};

export const messageDelay: Preview<number> = ({ value, settings, since }) => {
  const before = settings.MessageDelay;
  // For a credit without a reference: when the next credit of the same account and amount came with a reference.
  const bare = sql`
    select order_id as id, named_at - reported_at as gap from (
      select m.order_id, m.utr, m.reported_at, min(m.reported_at) filter (where m.utr is not null) over (
        partition by m.account_id, m.amount order by m.reported_at, m.id rows between 1 following and unbounded following) as named_at
      from messages m where m.id >= ${since} and m.direction = 'credit' and m.state in ('matched', 'unmatched', 'ambiguous', 'held', 'untrusted')
    ) c where utr is null`;
  const between = (low: number, high: number) =>
    sql`select id from (${bare}) b where gap > ${seconds(low)} and gap <= ${seconds(high)}`;
  return [
    { key: 'namedFirst', statement: between(before, value) },
    { key: 'namedLater', statement: between(value, before) },
    {
      key: 'delayedPastTime',
      statement: sql`
        select o.id from ${recentOrders(since)} o join messages m on m.order_id = o.id and m.state = 'matched' and m.direction = 'credit'
        where o.supplement_status <> ${SUPPLEMENTED} and o.paid_at <= o.expires_at and m.reported_at + ${seconds(value)} > o.expires_at`,
    },
  ];
};

/** SQL: credits that waited for their chain and then completed their order automatically. */
const heldAndPaid = (since: bigint) => sql`
  select o.id, m.amount, m.reported_at, o.paid_at from messages m
  join message_matches e on e.message_id = m.id and e.evidence in ('exactAmount', 'identifyCode', 'amountAndName')
  join collection_orders o on o.id = m.order_id and o.supplement_status <> ${SUPPLEMENTED} and o.paid_at > m.reported_at
  where m.id >= ${since} and m.state = 'matched' and m.direction = 'credit'
    and not exists (select from order_events h where h.order_id = o.id and h.kind = 'evidenceHeld')`;

const sinceMinute = (now: Date) => Math.floor(now.getTime() / 60_000) - 7 * 24 * 60;
