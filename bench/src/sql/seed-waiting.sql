-- What still waits for its money, as allocation writes it. Two orders of one amount on one account did not come about.
insert into waiting_orders (order_id, merchant_id, product_id, account_id, supplier_id, currency, amount, payable, identify_code, user_name, day,
  allocated_at, expires_at, release_at)
  select id, merchant_id, product_id, account_id, supplier_id, currency, amount, payable, identify_code, user_name, current_date,
    allocated_at, expires_at, expires_at + interval '1 day'
  from collection_orders where status = 1 on conflict do nothing;
update collection_orders o set status = 2 where status = 1 and not exists (select from waiting_orders w where w.order_id = o.id);
update account_load l set waiting_count = w.orders, waiting_amount = w.amount
  from (select account_id, count(*) as orders, sum(payable) as amount from waiting_orders group by account_id) w where w.account_id = l.account_id;
-- And what merchants are still to be told.
insert into callback_queue (callback_id, order_id, merchant_id, place, next_at)
  select id, id, merchant_id, 1, created_at from collection_orders where status = 6;
