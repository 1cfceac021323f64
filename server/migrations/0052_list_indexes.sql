-- What lists of orders filter by, over 10,000,000 orders. Each entry costs its order 8 to 12 µs and some 100 bytes of WAL once when
-- it is made and again when its status changes (measured), so what most orders do not have is left out of its index.

-- Trusted: the owner of the database may create it.
create extension if not exists pg_trgm;

create index collection_orders_product on collection_orders (product_id, id desc);
create index collection_orders_amount on collection_orders (amount, id desc);
create index collection_orders_ip on collection_orders (client_ip, id desc) where client_ip is not null;
create index collection_orders_received on collection_orders (received, id desc) where received is not null;
create index collection_orders_usdt on collection_orders (payable, id desc) where currency = 'USDT';
create index collection_orders_mark on collection_orders (mark, id desc) where mark <> 0;
create index collection_orders_supplemented on collection_orders (id desc) where supplement_status = 1;
create index collection_orders_reversed on collection_orders (id desc) where reversed_at is not null;
create index collection_orders_payer on collection_orders using gin (user_name gin_trgm_ops) where user_name is not null;
create index collection_orders_description on collection_orders
  using gin (subject gin_trgm_ops, body gin_trgm_ops) where subject is not null or body is not null;

create index payout_orders_product on payout_orders (product_id, id desc);
create index payout_orders_amount on payout_orders (amount, id desc);
create index payout_orders_ip on payout_orders (client_ip, id desc) where client_ip is not null;
create index payout_orders_mark on payout_orders (mark, id desc) where mark <> 0;
create index payout_orders_reversed on payout_orders (id desc) where reversed_at is not null;
create index payout_orders_unproven_list on payout_orders (id desc) where unproven;
create index payout_orders_locked on payout_orders (id desc) where locked_by is not null;
create index payout_orders_account on payout_orders (payee_account, id desc) where payee_account is not null;
create index payout_orders_ifsc on payout_orders (payee_ifsc, id desc) where payee_ifsc is not null;
create index payout_orders_address on payout_orders (payee_address, id desc) where payee_address is not null;
create index payout_orders_payee on payout_orders using gin (payee_name gin_trgm_ops) where payee_name is not null;

-- How many orders a part of a text finds is guessed from samples of the texts; a hundred of them tell of none that is rare.
alter table collection_orders alter column user_name set statistics 1000, alter column subject set statistics 1000,
  alter column body set statistics 1000;
alter table payout_orders alter column payee_name set statistics 1000;
