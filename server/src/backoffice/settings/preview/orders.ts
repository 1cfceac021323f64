import type { SettingValues } from '@sangam/contract/settings.ts';
import { businessDay } from '@sangam/contract/time.ts';
import { PREVIEW_DAYS } from '@sangam/contract/setting-previews.ts';
import { archivedUntil } from '../../../archive/run.ts';
import { type OrderTable, readyRows } from '../../../archive/tables.ts';
import { DAY } from '../../../platform/clock.ts';
import { raw, type Sql, sql } from '../../../platform/db/database.ts';
import { COLLECTION, SUPPLEMENTED } from '../../../platform/db/statuses.ts';
import { firstIdAt } from '../../../platform/db/ids.ts';
import { kycApproved } from '../../../terms/kyc/approved.ts';
import { minutes, type Preview, recentOrders, seconds } from './line.ts';

/** Previews computed from orders and their history. */

export const orderTimeout: Preview<number> = ({ value, since }) => [
  {
    key: 'paidTooLate',
    statement: sql`
      select o.id from ${recentOrders(since)} o
      where o.paid_at <= o.expires_at and o.paid_at > o.allocated_at + ${minutes(value)}`,
  },
  {
    key: 'paidInLongerTime',
    statement: sql`
      select o.id from ${recentOrders(since)} o
      where o.paid_at > o.expires_at and o.paid_at <= o.allocated_at + ${minutes(value)}`,
  },
];

export const completeCheck: Preview<number> = ({ value, since }) => [
  {
    key: 'lateNoMore',
    statement: sql`
      select o.id from ${recentOrders(since)} o
      where o.supplement_status <> ${SUPPLEMENTED} and o.paid_at > o.expires_at + ${minutes(value)}`,
  },
  {
    // The order's message came within the new time, and a person had to complete the order.
    key: 'lateByItself',
    statement: sql`
      select o.id from ${recentOrders(since)} o
      where o.supplement_status = ${SUPPLEMENTED} and exists (
        select from messages m where m.order_id = o.id and m.direction = 'credit'
          and m.received_at > o.expires_at and m.received_at <= o.expires_at + ${minutes(value)})`,
  },
];

export const timeoutSupplement: Preview<boolean> = ({ value, since }) =>
  value
    ? []
    : [
        {
          key: 'supplementsRefused',
          statement: sql`
            select e.order_id as id from order_events e
            where e.id >= ${since} and e.kind = 'supplemented' and e.from_status = ${COLLECTION.timedOut}`,
        },
      ];

/** The rules of an account's daily limits, by the names in an allocation's explanation. */
const LIMIT_RULES = ['dailyCountReached', 'dailyAmountReached'];
const PAST_LIMIT = ['chosenPastCount', 'chosenPastAmount'];

const withVerdict = (since: bigint, kind: string, verdicts: readonly string[]) => sql`
  select e.order_id as id from order_events e
  where e.id >= ${since} and e.kind = ${kind} and exists (
    select from jsonb_each_text(e.data -> 'verdicts') v where v.value = any(${verdicts}))`;

export const limitMode: Preview<SettingValues['LimitMode']> = ({ value, now, since }) =>
  value === 'enforce'
    ? [
        { key: 'limitPassed', statement: withVerdict(since, 'allocated', PAST_LIMIT) },
        {
          key: 'limitDays',
          statement: sql`
            select null::bigint as id from account_days d join accounts a on a.id = d.account_id
            where d.day >= ${businessDay(new Date(now.getTime() - PREVIEW_DAYS * DAY))}
              and (d.orders > a.daily_count_limit or d.amount > a.daily_amount_limit)`,
        },
      ]
    : [{ key: 'limitRefusals', statement: withVerdict(since, 'allocationFailed', LIMIT_RULES) }];

export const walletCount: Preview<number> = ({ value, since }) => [
  ...(value === 0
    ? []
    : [
        {
          // How many orders each wallet account held when it got one more. Each order counts +1 when it begins to wait and -1 when it ends.
          key: 'walletRefused' as const,
          statement: sql`
            with o as (
              select r.id, r.account_id, r.allocated_at, coalesce(r.paid_at, r.expires_at) as ended_at, p.channel
              from ${recentOrders(since)} r join products p on p.id = r.product_id
              where r.account_id is not null and r.allocated_at is not null
            ), steps as (
              select id, account_id, allocated_at as at, 1 as step, channel from o
              union all select id, account_id, ended_at, -1, channel from o
            ), held as (
              select id, step, channel, sum(step) over (partition by account_id order by at, step, id) as waiting from steps
            )
            select id from held where step = 1 and channel = 'wallet' and waiting > ${value}`,
        },
      ]),
  { key: 'walletWouldPass', statement: withVerdict(since, 'allocationFailed', ['walletFull']) },
];

/** Orders that found no account, where one of these rules, which do not depend on the order, refused an account. */
const withStanding = (since: bigint, verdicts: readonly string[]) => sql`
  select e.order_id as id from order_events e join allocation_runs r on r.id = (e.data ->> 'run')::bigint
  where e.id >= ${since} and e.kind = 'allocationFailed' and e.data ->> 'run' <> '' and exists (
    select from jsonb_array_elements(r.candidates) c where c ->> 'verdict' = any(${verdicts}))`;

/** The log keeps one heartbeat a minute, so it shows no shorter silences. */
const HEARTBEATS_EVERY = 60;

export const monitorLive: Preview<number> = ({ value, since, settings }) => [
  ...(value < HEARTBEATS_EVERY
    ? []
    : [
        {
          key: 'silentMonitor' as const,
          statement: sql`
            select o.id from ${recentOrders(since)} o join accounts a on a.id = o.account_id and a.monitor_id is not null
            cross join lateral (
              select max(l.created_at) as at from monitor_log l
              where l.monitor_id = a.monitor_id and l.id < o.id and l.phase <> 'command'
                and l.created_at <= o.allocated_at
            ) seen
            where o.allocated_at > seen.at + ${seconds(value)}`,
        },
      ]),
  ...(value > settings.MonitorLiveTime
    ? [
        {
          key: 'offlineWouldPass' as const,
          statement: withStanding(since, ['monitorOffline', 'chainNodeSilent']),
        },
      ]
    : []),
];

export const cardCountry: Preview<readonly string[]> = ({ value, since, now }) => [
  {
    // The accounts created in this period, and the orders they got.
    key: 'cardAccounts',
    statement: sql`
      select o.id from accounts a left join ${recentOrders(since)} o on o.account_id = a.id
      where a.kind = 'card' and a.created_at >= ${now}::timestamptz - interval '7 days' and a.country <> all(${value})`,
  },
];

export const kyc: Preview<boolean> = ({ value, since, now }) =>
  value
    ? [
        {
          key: 'kycRefused',
          statement: sql`
            with parties as (
              select id, ${kycApproved('merchant', sql`m.id`, now)} as ok from merchants m
            ), proven as (
              select id, ${kycApproved('account', sql`a.id`, now)} and ${kycApproved('supplier', sql`a.supplier_id`, now)} as ok
              from accounts a
            )
            select o.id from ${recentOrders(since)} o join parties p on p.id = o.merchant_id
            left join proven a on a.id = o.account_id
            where not p.ok or not coalesce(a.ok, true)`,
        },
      ]
    : [{ key: 'kycWouldPass', statement: withStanding(since, ['kycMissing', 'ownershipUnproven']) }];

export const timeoutCallback: Preview<number> = ({ value, since, settings }) => {
  if (value === 0) {
    const told = sql`select c.order_id as id from callbacks c where c.id >= ${since} and c.kind = 'timeout'`;
    return settings.TimeoutCallbackTime === 0 ? [] : [{ key: 'timeoutsUntold', statement: told }];
  }
  const timedOut = sql`
    select e.order_id as id, e.created_at as at, o.paid_at from order_events e join collection_orders o on o.id = e.order_id
    where e.id >= ${since} and e.kind = 'timedOut'`;
  return [
    {
      key: 'timeoutsTold',
      statement: sql`
        select id from (${timedOut}) t where paid_at is null or paid_at > at + ${seconds(value)}`,
    },
    {
      key: 'timeoutsPaidBefore',
      statement: sql`select id from (${timedOut}) t where paid_at <= at + ${seconds(value)}`,
    },
  ];
};

/**
 * Unlike other previews this one is about the next night's archive, because an order leaves only once. From the last days it counts who
 * still needed such orders.
 */
export const dataClear: Preview<number> = ({ value, now, since }) => {
  if (value === 0) return [];
  const until = archivedUntil(now, value);
  const old = sql`o.id < ${firstIdAt(until)} and o.created_at < ${until}`;
  const those = (table: OrderTable, where: Sql) =>
    sql`select o.id from ${raw(table)} o where ${old} and ${where}`;
  const both = (where: (ready: Sql) => Sql) =>
    sql`${those('collection_orders', where(readyRows('collection_orders', until, now)))}
      union all ${those('payout_orders', where(readyRows('payout_orders', until, now)))}`;
  return [
    { key: 'leaveDatabase', statement: both((ready) => ready) },
    { key: 'stayInDatabase', statement: both((ready) => sql`${ready} is not true`) },
    {
      key: 'oldStillNeeded',
      statement: sql`
        select distinct e.order_id as id from order_events e where e.id >= ${since} and e.order_id < ${firstIdAt(until)}`,
    },
  ];
};
