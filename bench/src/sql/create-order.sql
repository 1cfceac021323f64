-- What creating one order does, statement by statement and one transaction an order: look-ups of number, terms, candidates
-- and deposit, a locked account, the waiting row, the order, its two events, and the account's load.
\set merchant_id 10000 + random(1, :merchants)
\set account_id 40000 + random(1, :accounts)
\set amount random(100, 1000000000)
begin;
select nextval('bench_id') as id \gset
select order_id from merchant_orders where merchant_id = :merchant_id and mch_order_no = 'B' || :id::bigint;
select u.rate_ppm, p.currency from user_products u join products p on p.id = u.product_id where u.owner_kind = 'merchant' and u.owner_id = :merchant_id and u.product_id = 1010;
select r.state, r.weight, a.max_waiting, m.last_seen_at from resources r join accounts a on a.id = r.account_id join suppliers s on s.id = a.supplier_id left join monitors m on m.id = a.monitor_id where r.account_id = :account_id and r.product_id = 1010;
select balance from ledger_accounts where owner_kind = 'supplier' and bucket = 'deposit';
insert into merchant_orders (merchant_id, mch_order_no, order_id, direction, content_hash) values (:merchant_id, 'B' || :id::bigint, :id, 'in', '\x00');
select waiting_count from account_load where account_id = :account_id for update;
insert into waiting_orders (order_id, account_id, supplier_id, currency, amount, payable, identify_code, day, allocated_at, expires_at, release_at) values (:id, :account_id, 20001, 'INR', :amount, :amount, 'B' || :id::bigint, current_date, now(), now() + interval '1 day', now() + interval '2 days') on conflict do nothing;
insert into collection_orders (id, merchant_id, mch_order_no, product_id, currency, amount, payable, status, supplier_id, account_id, identify_code, notify_url, merchant_rate_ppm, merchant_fixed_fee, allocated_at, expires_at, created_at) values (:id, :merchant_id, 'B' || :id::bigint, 1010, 'INR', :amount, :amount, 1, 20001, :account_id, 'B' || :id::bigint, 'http://127.0.0.1:9/notify', 30000, 0, now(), now(), now());
insert into order_events (id, order_id, kind, from_status, to_status, actor_kind, created_at) values (:id, :id, 'created', null, 0, 'merchant', now());
insert into order_events (id, order_id, kind, from_status, to_status, actor_kind, data, created_at) values (:id::bigint + 1, :id, 'allocated', 0, 1, 'system', '{"candidates": []}', now());
update account_load set waiting_count = waiting_count + 1, waiting_amount = waiting_amount + :amount, last_used_at = now() where account_id = :account_id;
with counted as (update account_days set orders = orders + 1, amount = amount + :amount where account_id = :account_id and day = current_date returning 1) insert into account_days (account_id, day, orders, amount) select :account_id, current_date, 1, :amount where not exists (select from counted);
commit;
