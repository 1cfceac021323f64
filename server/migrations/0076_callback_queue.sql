-- What waits to be told stands in a table of its own, which is small and swept in no time; a notice is written once and stays as it is.
-- The end of a callback cost the database 15 µs while its row changed and all of its index entries with it, and takes 4 out of here;
-- and an index of all callbacks need no longer be swept to forget the ones that were told.
create table callback_queue (
  callback_id bigint primary key,
  order_id bigint not null,
  merchant_id bigint not null,
  -- Among the notices of its order.
  place int not null,
  next_at timestamptz not null,
  -- Made so far, and how many of them before it was taken up again: the schedule counts from there.
  attempts int not null default 0,
  attempts_before int not null default 0
);
insert into callback_queue (callback_id, order_id, merchant_id, place, next_at, attempts, attempts_before)
  select id, order_id, merchant_id, place, next_at, attempts, attempts_before from callbacks where state = 0;
-- Just what the claim asks, in its order.
create index callback_queue_due on callback_queue (merchant_id, next_at, callback_id);
alter table callback_queue set (
  autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_vacuum_threshold = 10000,
  vacuum_index_cleanup = on
);

-- 2: its retries were used up, 3: an operator took it off the queue. One that neither waits nor was given up was acknowledged.
alter table callbacks add column given_up smallint check (given_up in (2, 3));
update callbacks set given_up = state where state in (2, 3);
create index callbacks_given_up_state on callbacks (id) where given_up = 2;
drop index callbacks_order;
create unique index callbacks_order on callbacks (order_id, place);
-- Their indexes go with them.
alter table callbacks drop column state, drop column attempts, drop column attempts_before, drop column next_at;
alter index callbacks_given_up_state rename to callbacks_given_up;
alter table callbacks reset (fillfactor, autovacuum_vacuum_scale_factor, autovacuum_vacuum_threshold, vacuum_index_cleanup);
