import { STATE, WAITING } from '../callbacks/state.ts';
import { sql } from '../platform/db/database.ts';
import { COLLECTION, PAID, PAYOUT } from '../platform/db/statuses.ts';
import { type Check, isArchived, within } from './check.ts';

/** Evidence that money came, and the merchant's notification of it. */
export const EVIDENCE_CHECKS: readonly Check[] = [
  {
    name: 'every match joins a matched message and the paid order it completed',
    walks: 'orders',
    statement: (range) => sql`
      select 'order ' || mm.order_id || ' is matched to message ' || mm.message_id
        || case when m.id is null then ', which does not exist' when o.id is null then ', but does not exist itself'
          when m.state <> 'matched' or m.order_id is distinct from mm.order_id then
            ', which is ' || m.state || coalesce(' with order ' || m.order_id, '')
          when not o.paid then ', but has status ' || o.status
          when o.reversed_at is not null then ', but was reversed'
          when m.direction <> o.direction then ', which tells of a ' || m.direction
          else ' of ' || m.amount || ', but moved ' || o.moved end as detail
      from message_matches mm
      left join messages m on m.id = mm.message_id
      left join (
        select id, status, status in ${PAID} as paid, reversed_at, received as moved, 'credit' as direction from collection_orders
        union all select id, status, status = ${PAYOUT.completed}, reversed_at, amount, 'debit' from payout_orders
      ) o on o.id = mm.order_id and ${within(sql`o.id`, range)}
      where ${within(sql`mm.order_id`, range)} and (m.state = 'matched' and m.order_id = mm.order_id and o.paid and o.reversed_at is null
        and m.direction = o.direction and m.amount = o.moved) is not true
        and not ${isArchived(sql`mm.order_id`)}
      order by mm.order_id`,
  },
  {
    name: 'every matched message has its match',
    walks: 'messages',
    statement: (range) => sql`
      select 'message ' || m.id || ' is matched, but to nothing' as detail
      from messages m left join message_matches mm on mm.message_id = m.id
      where m.state = 'matched' and mm.order_id is distinct from m.order_id and ${within(sql`m.id`, range)}
      order by m.id`,
  },
  {
    name: 'every UTR in use belongs to a paid order that shows it',
    walks: 'orders',
    statement: (range) => sql`
      select 'UTR ' || u.utr || ' is used by order ' || u.order_id
        || coalesce(', which shows ' || coalesce(o.utr, 'none') || ' in status ' || o.status, ', which does not exist') as detail
      from utr_uses u
      left join (
        select id, utr, status from collection_orders where status in ${PAID} and reversed_at is null
        union all select id, utr, status from payout_orders where status = ${PAYOUT.completed} and not unproven and reversed_at is null
        union all select id, utr, null from messages where state = 'settledOutside'
        union all select id, payload->>'utr', null from approvals where kind = 'topUp' and status = 'approved'
      ) o on o.id = u.order_id and ${within(sql`o.id`, range)}
      where o.utr is distinct from u.utr and ${within(sql`u.order_id`, range)} and not ${isArchived(sql`u.order_id`)}
      order by u.order_id`,
  },
  {
    name: 'every paid order and top-up with a UTR holds that UTR',
    walks: 'orders',
    statement: (range) => sql`
      select 'order ' || o.id || ' was paid by UTR ' || o.utr || ', which is free to be used again' as detail
      from (
        select id, utr, reversed_at, false as has_left from collection_orders where status in ${PAID}
        union all select id, utr, reversed_at, currency = 'USDT' from payout_orders where status = ${PAYOUT.completed} and not unproven
        union all select id, payload->>'utr', null, false from approvals where kind = 'topUp' and status = 'approved'
      ) o
      left join utr_uses u on u.order_id = o.id and u.utr = o.utr and (u.family = 'TRONOUT') = o.has_left
      where o.reversed_at is null and o.utr is not null and u.order_id is null and ${within(sql`o.id`, range)}
      order by o.id`,
  },
  {
    name: 'every paid order has a callback',
    walks: 'collection_orders',
    statement: (range) => sql`
      select 'order ' || o.id || ' in status ' || o.status || ' has no callback' as detail
      from collection_orders o
      where o.status in ${PAID} and ${within(sql`o.id`, range)} and not exists (
        select from callbacks c where c.order_id = o.id and c.kind not in ('timeout', 'reversed'))
      order by o.id`,
  },
  {
    name: 'every reversed order has its notice',
    statement: sql`
      select 'order ' || o.id || ' was reversed, and its merchant is not told' as detail
      from collection_orders o
      where o.reversed_at is not null and not exists (
        select from callbacks c where c.order_id = o.id and c.kind = 'reversed')
      order by o.id`,
  },
  {
    name: 'every reversed payout with an address has its notice',
    statement: sql`
      select 'payout ' || o.id || ' was reversed, and its merchant is not told' as detail
      from payout_orders o
      where o.reversed_at is not null and o.notify_url is not null and not exists (
        select from callbacks c where c.order_id = o.id and c.kind = 'payout' and c.fields->>'status' = '2')
      order by o.id`,
  },
  {
    name: 'a payout is told of only once it has ended',
    walks: 'payout_orders',
    statement: (range) => sql`
      select 'payout ' || o.id || ' in status ' || o.status || ' has a callback' as detail
      from payout_orders o join callbacks c on c.order_id = o.id
      where ${within(sql`o.id`, range)} and (o.status not in ${PAID} or c.kind <> 'payout')
      order by o.id`,
  },
  {
    name: 'no debit message bears out a payout that is called unproven',
    statement: sql`
      select 'payout ' || o.id || ' is unproven, but joined to message ' || mm.message_id as detail
      from payout_orders o join message_matches mm on mm.order_id = o.id
      where o.unproven
      order by o.id`,
  },
  {
    name: 'every callback status is borne out by the callbacks',
    walks: 'collection_orders',
    statement: (range) => sql`
      select 'order ' || o.id || ' in status ' || o.status || ' has ' || count(*) filter (where s.state = 0) || ' callbacks waiting, '
        || count(*) filter (where s.state = 1) || ' succeeded, ' || count(*) filter (where s.state in (2, 3)) || ' given up' as detail
      from collection_orders o join callbacks c on c.order_id = o.id and c.kind not in ('timeout', 'reversed') ${WAITING}
      cross join lateral (select ${STATE} as state) s
      where o.status in ${PAID} and ${within(sql`o.id`, range)}
      group by o.id, o.status
      having case o.status when ${COLLECTION.callbackSucceeded} then count(*) filter (where s.state = 1) = 0
        when ${COLLECTION.callbackFailed} then count(*) filter (where s.state in (2, 3)) = 0 or count(*) filter (where s.state = 0) > 0
        else count(*) filter (where s.state = 0) = 0 end
      order by o.id`,
  },
  {
    name: 'every callback has its attempts, and a succeeded one its acknowledgement',
    walks: 'callbacks',
    statement: (range) => sql`
      select 'callback ' || coalesce(c.id, q.callback_id) || ' of order ' || coalesce(c.order_id, q.order_id)
        || case when c.id is null then ' waits, but does not exist'
          when q.callback_id is null then ' waits no more, given up: ' || coalesce(c.given_up::text, 'no')
          else ' waits for attempt ' || q.attempts + 1 || ' at place ' || q.place end
        || '; ' || coalesce(a.attempts, 0) || ' attempts are recorded, of which ' || coalesce(a.acknowledged, 0) || ' were acknowledged' as detail
      from (select * from callbacks where ${within(sql`id`, range)}) c
      full join (select * from callback_queue where ${within(sql`callback_id`, range)}) q on q.callback_id = c.id
      left join (
        select callback_id, count(*) as attempts,
          count(*) filter (where status < 300 and lower(btrim(answer, E' \\t\\r\\n')) = 'success') as acknowledged
        from callback_attempts where ${within(sql`callback_id`, range)} group by callback_id
      ) a on a.callback_id = c.id
      where c.id is null
        or q.callback_id is not null and (c.given_up is not null or q.attempts <> coalesce(a.attempts, 0)
          or (q.order_id, q.merchant_id, q.place) is distinct from (c.order_id, c.merchant_id, c.place))
        or (q.callback_id is null and c.given_up is null) <> (coalesce(a.acknowledged, 0) > 0)
          and not (a.callback_id is null and ${isArchived(sql`c.order_id`)})
      order by c.id`,
  },
];
