-- Administration: what nodes say of themselves, maintenance, and jobs that somebody ran.

-- Each node writes its row every few seconds, and at once when the settings it has in force change.
create table node_reports (
  slot smallint primary key,
  name text not null,
  version text not null,
  role text not null,
  started_at timestamptz not null,
  reported_at timestamptz not null,
  -- Of the event loop, ms: of 99 in 100, and the longest since the last report.
  lag_ms int not null,
  longest_lag_ms int not null,
  -- {total, idle, waiting} connections.
  pool jsonb not null,
  -- [{name, everyMs, ranAt, ms, failure}]
  loops jsonb not null,
  leases text[] not null,
  -- Name of each stored setting → the moment of the write it has in force, ms since 1970.
  settings jsonb not null
);

-- While it lasts, and once it has begun, orders are not created (1101). No row: no maintenance.
create table maintenance_mode (
  is_only boolean primary key default true check (is_only),
  begins_at timestamptz not null,
  ends_at timestamptz not null,
  -- Locale → text.
  texts jsonb not null,
  set_by bigint not null references users (id),
  set_at timestamptz not null,
  check (ends_at > begins_at)
);

create table job_runs (
  id bigint primary key,
  job text not null,
  started_by bigint not null references users (id),
  started_at timestamptz not null,
  -- Null: under way, or lost with its node.
  ended_at timestamptz,
  failure text,
  result jsonb
);
create index job_runs_newest on job_runs (job, id desc);

-- Orders that a superAdmin made to try a merchant's way: their money is taken back in the moment it is credited.
create table test_orders (
  merchant_id bigint not null references merchants (id),
  mch_order_no text not null unique,
  catch_token text not null unique,
  created_by bigint not null references users (id),
  created_at timestamptz not null,
  primary key (merchant_id, mch_order_no)
);

-- What test orders were charged, taken back with their money: no invoice has it, whatever became of the order and its mark.
create table test_order_fees (
  order_id bigint primary key,
  merchant_id bigint not null references merchants (id),
  product_id int not null,
  currency text not null,
  fee bigint not null check (fee > 0),
  paid_at timestamptz not null
);

-- Notifications of test orders that came to the catcher.
create table test_order_catches (
  id bigint primary key,
  catch_token text not null references test_orders (catch_token),
  body text not null,
  caught_at timestamptz not null
);
create index test_order_catches_token on test_order_catches (catch_token, id);
