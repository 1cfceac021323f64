import { sql } from '../platform/db/database.ts';
import { PAYOUT } from '../platform/db/statuses.ts';
import { type Check, isArchived, NODES, within } from './check.ts';

/** Compares batches of payouts with their rows, and the rows with the payouts. */
export const BATCH_CHECKS: readonly Check[] = [
  {
    name: 'every batch counts and sums its rows, once it is exported those of the file',
    statement: sql`
      select 'batch ' || b.id || ' says ' || b.order_count || ' payouts of ' || b.total || ', its rows are ' || count(i.order_id)
        || ' of ' || coalesce(sum(i.amount), 0) as detail
      from payout_batches b left join payout_batch_orders i on i.batch_id = b.id and (b.file is null or i.in_file)
      group by b.id, b.order_count, b.total
      having b.order_count <> count(i.order_id) or b.total <> coalesce(sum(i.amount), 0)
      order by b.id`,
  },
  {
    name: 'every row of a batch has its payout and the amount of it',
    statement: sql`
      select 'row ' || i.row_number || ' of batch ' || i.batch_id || ' holds ' || i.amount || ', payout ' || i.order_id || ' is of '
        || coalesce(o.amount::text, 'nothing') as detail
      from payout_batch_orders i left join payout_orders o on o.id = i.order_id
      where o.id is null and not ${isArchived(sql`i.order_id`)} or o.amount <> i.amount
      order by i.batch_id, i.row_number`,
  },
  {
    name: 'a payout waits for the word of one batch at most',
    statement: sql`
      select 'payout ' || i.order_id || ' is open in the batches ' || string_agg(i.batch_id::text, ', ' order by i.batch_id) as detail
      from payout_batch_orders i join payout_batches b on b.id = i.batch_id
      where i.state = 'pending' and b.status in ('prepared', 'exported', 'sent')
      group by i.order_id having count(*) > 1
      order by i.order_id`,
  },
  {
    name: 'a payout held by a batch is an open row of an open batch',
    statement: sql`
      select 'payout ' || o.id || ' is locked by ' || o.locked_by || ', which holds it no more' as detail
      from payout_orders o
      where o.locked_by like 'batch:%' and not exists (
        select 1 from payout_batch_orders i join payout_batches b on b.id = i.batch_id
        where i.order_id = o.id and 'batch:' || b.id = o.locked_by and i.state = 'pending'
          and b.status in ('prepared', 'exported', 'sent'))
      order by o.id`,
  },
  {
    name: 'people were told of every completed payout that its bank says is unpaid',
    // 'not in' is always planned as a hash. Without statistics 'not exists' read all messages for each row.
    statement: sql`
      select 'payout ' || o.id || ' counts as paid, but its bank says ' || r.proposed || ' (batch ' || r.batch_id || '), and nobody was told' as detail
      from payout_batch_orders r join payout_orders o on o.id = r.order_id
      where r.state = 'completed' and r.proposed in ('failed', 'reversed') and not r.proposed_by_supplier and o.status = ${PAYOUT.completed}
        and o.id::text not in (select i.data->>'order' from inbox_messages i where i.kind = 'bankSaysUnpaid' and i.data ? 'order')
      order by o.id`,
  },
  {
    name: 'no file was made and no batch sent while who pays it was on hold',
    statement: sql`
      select 'batch ' || b.id || ' was ' || t.step || ' at ' || t.at || ', ' || s.subject || ' on hold since ' || h.created_at as detail
      from payout_batches b
      cross join lateral (values ('exported', b.exported_at), ('sent', b.sent_at)) t (step, at)
      cross join lateral (values ('supplier:' || b.supplier_id), ('account:' || b.account_id)) s (subject)
      cross join lateral (
        select h.after, h.created_at from audit_log h
        where h.subject = s.subject and h.action like 'hold.%' and h.created_at < t.at + ${NODES}
        order by h.created_at desc, h.id desc limit 1
      ) h
      where (h.after->>'frozen')::boolean and h.created_at < t.at - ${NODES}
      order by b.id`,
  },
  {
    name: 'no file holds a payout that was frozen when it was made',
    walks: 'payout_orders',
    statement: (range) => sql`
      select 'batch ' || b.id || ' was exported at ' || b.exported_at || ' with payout ' || i.order_id || ', frozen since ' || f.created_at as detail
      from payout_batches b join payout_batch_orders i on i.batch_id = b.id and i.in_file
      join order_events f on f.order_id = i.order_id and f.kind = 'frozen' and f.created_at < b.exported_at - ${NODES}
      where ${within(sql`i.order_id`, range)} and not exists (select from order_events u
        where u.order_id = i.order_id and u.kind = 'unfrozen' and u.created_at between f.created_at and b.exported_at + ${NODES})
      order by b.id, i.row_number`,
  },
];
