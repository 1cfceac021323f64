-- Rails we watch ourselves: accounts whose money no monitor reports.

create table rail_watches (
  account_id bigint primary key references accounts (id),
  -- Whoever reports an account's money is its monitor, and here it is we ourselves.
  monitor_id bigint not null references monitors (id),
  -- Block time up to which transfers were read; null: not yet.
  read_until timestamptz,
  -- Who looks next may not before: the lease of who is looking.
  next_at timestamptz not null,
  rescanned_at timestamptz,
  problem text
);
create index rail_watches_due on rail_watches (next_at);

-- A paybill's payers name their order, so that any number of orders of one amount may wait there; everywhere else the
-- amount is the order's alone.
alter table waiting_orders
  add column slot bigint not null default 0,
  drop constraint one_order_per_payable,
  add constraint one_order_per_payable unique (account_id, payable, slot);
