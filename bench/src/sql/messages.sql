-- What a batch of credits on :account does: stored, matched to the orders that wait for them, settled. Ids follow the order's.
begin;
create temporary table credit on commit drop as
  with locked as (
    select w.order_id, w.account_id, w.supplier_id, w.payable, o.merchant_id, o.notify_url from waiting_orders w join collection_orders o on o.id = w.order_id
    where w.account_id = :account order by w.order_id limit :batch for update
  )
  select *, order_id + 1 as message_id, 'U' || order_id as utr, payable * 3 / 100 as fee, payable / 100 as commission from locked;
insert into message_keys select :monitor, 'S' || order_id, message_id from credit;
insert into message_fingerprints select account_id, 'credit/' || payable || '/ref/' || utr, message_id from credit;
insert into utr_uses select 'UPI', utr, order_id, now() from credit;
create temporary table leg on commit drop as
  select c.order_id, c.order_id + 4 + v.n as id, a.id as account_id, v.amount from credit c
  cross join lateral (values
    (0, 'supplier', c.supplier_id, 'deposit', -c.payable), (1, 'merchant', c.merchant_id, 'available', c.payable - c.fee),
    (2, 'supplier', c.supplier_id, 'commission', c.commission), (3, 'platform', 0, 'revenue', c.fee - c.commission)
  ) as v (n, owner_kind, owner_id, bucket, amount)
  cross join lateral (
    select id from ledger_accounts where owner_kind = v.owner_kind and owner_id = v.owner_id and bucket = v.bucket and currency = 'INR'
    order by slot limit 1
  ) a;
create temporary table balance on commit drop as
  select id, balance from ledger_accounts where id in (select account_id from leg) order by id for no key update;
insert into ledger_entries (id, posting_id, account_id, amount, balance_after, created_at)
  select l.id, l.order_id + 3, l.account_id, l.amount, b.balance + sum(l.amount) over (partition by l.account_id order by l.id), now()
  from leg l join balance b on b.id = l.account_id;
insert into postings (id, key, kind, order_id, currency, entry_count, entry_sum, created_at)
  select order_id + 3, 'collection/' || order_id, 'collection', order_id, 'INR', count(*), sum(amount), now() from leg group by order_id;
update ledger_accounts a set balance = a.balance + v.amount
  from (select account_id, sum(amount) as amount from leg group by account_id) v where a.id = v.account_id;
update collection_orders o set status = 6, received = c.payable, utr = c.utr, fee = c.fee, supplier_commission = c.commission, paid_at = now()
  from credit c where o.id = c.order_id;
delete from waiting_orders w using credit c where w.order_id = c.order_id;
insert into order_events (id, order_id, kind, from_status, to_status, actor_kind, actor_id, data, created_at)
  select order_id + 2, order_id, 'paid', 1, 6, 'monitor', :monitor, jsonb_build_object('messageId', message_id::text, 'utr', utr), now() from credit;
insert into callbacks (id, order_id, merchant_id, kind, url, transport, fields, created_at, place)
  select order_id + 9, order_id, merchant_id, 'paid', notify_url, 'json', jsonb_build_object('mchId', merchant_id::text,
    'payOrderId', order_id::text, 'productId', '1010', 'amount', payable::text, 'realAmount', payable::text, 'status', '1', 'utr', utr), now(), 1
  from credit;
insert into callback_queue (callback_id, order_id, merchant_id, place, next_at)
  select order_id + 9, order_id, merchant_id, 1, now() from credit;
insert into messages (id, monitor_id, external_id, kind, sender, text, account_id, supplier_id, template_id, bank, direction, currency, amount,
    account_tail, utr, state, order_id, received_at, reported_at)
  select message_id, :monitor, 'S' || order_id, 'sms', 'VM-HDFCBK-S', 'Credit Alert! Rs.' || payable || ' credited to HDFC Bank A/c XX0000 on 21-11-26 from VPA payer@okbank (UPI ' || utr || ')',
    account_id, supplier_id, 'hdfc', 'HDFC', 'credit', 'INR', payable, '0000', utr, 'matched', order_id, now(), now() from credit;
insert into message_matches select order_id, message_id, 'exactAmount', now() from credit;
insert into monitor_log (id, monitor_id, phase, message_id, order_id, detail, created_at)
  select order_id + 10, :monitor, 'matched', message_id, order_id, '{"evidence": "exactAmount"}', now() from credit;
update account_load l set waiting_count = l.waiting_count - v.n, waiting_amount = l.waiting_amount - v.amount
  from (select account_id, count(*) as n, sum(payable) as amount from credit group by account_id) v where v.account_id = l.account_id;
commit;
