import { sql } from '../platform/db/database.ts';
import { type Check, within } from './check.ts';

/** Compares the counts of orders with the orders. */
export const SOURCE_CHECKS: readonly Check[] = [
  {
    name: 'every collection order is counted by its source, or waits to be',
    walks: 'collection_orders',
    statement: (range) => sql`
      select 'order ' || o.id || case when s.order_id is null then ' is not counted' else ' is counted as another' end as detail
      from collection_orders o left join order_sources s on s.order_id = o.id
      where ${within(sql`o.id`, range)}
        and (s.order_id is null or s.amount <> o.amount or s.received is distinct from o.received or s.test <> (o.mark = 2))
        and not exists (select from order_changes c where c.order_id = o.id)
      order by o.id`,
  },
  {
    // Only two days, so that a run stays short. Earlier days were checked while they were the newest.
    name: 'the sums of the newest order sources are those of their orders',
    statement: sql`
      with days as (select distinct day from source_sums where dimension = 'hour' order by day desc limit 2)
      select 'on ' || coalesce(c.day, s.day) || ' ' || coalesce(c.dimension, s.dimension) || ' ' || coalesce(c.value, s.value)
        || ' of merchant ' || coalesce(c.merchant_id, s.merchant_id) || ' counts ' || coalesce(s.r0, 0) || ', its orders are '
        || coalesce(c.r0, 0) as detail
      from (
        select o.day, d.dimension, d.value, o.merchant_id, o.currency, count(*) as r0,
          count(*) filter (where o.reached >= 4) as r4, count(*) filter (where o.reached >= 5) as r5, sum(o.amount) as amount,
          coalesce(sum(o.received) filter (where o.reached >= 4), 0) as paid_amount
        from order_sources o
        cross join lateral (values ('hour', lpad(o.hour::text, 2, '0')), ('referrer', o.referrer), ('device', o.device),
          ('network', o.network), ('band', o.band::text), ('bank', o.bank)) as d (dimension, value)
        where not o.test and o.day in (select day from days) group by 1, 2, 3, 4, 5
      ) c
      full join (select * from source_sums where day in (select day from days) and r0 > 0) s
        using (day, dimension, value, merchant_id, currency)
      where (c.r0, c.r4, c.r5, c.amount, c.paid_amount) is distinct from (s.r0, s.r4, s.r5, s.amount, s.paid_amount)
      order by 1`,
  },
];
