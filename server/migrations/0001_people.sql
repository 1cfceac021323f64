-- People, parties, products, accounts: who takes part and where money sits.
-- Ids are 64-bit, time-ordered and made by the nodes (src/db/ids.ts); small tables that people type ids of
-- (merchants, suppliers, monitors, accounts) use short numbers instead.

create table node_slots (
  slot smallint primary key check (slot between 0 and 1023),
  token uuid not null,
  leased_until timestamptz not null
);

-- Proves that a node has the key the stored secrets were sealed with: one row.
create table master_key_proof (
  id smallint primary key check (id = 1),
  sealed bytea not null
);

create table settings (
  name text primary key,
  value jsonb not null,
  updated_at timestamptz not null,
  updated_by bigint
);

create table users (
  id bigint primary key,
  account text not null check (account ~ '^[A-Za-z0-9]{1,64}$'),
  nickname text not null check (length(nickname) between 1 and 128),
  role text not null check (role in
    ('superAdmin', 'admin', 'customerService', 'technicalMaintenance', 'technicalSupport', 'supplier', 'merchant')),
  password_hash text not null,
  pay_password_hash text,
  enable_google_verify boolean not null default true,
  google_secret bytea,
  -- A secret being bound replaces google_secret only once a code proves it.
  pending_google_secret bytea,
  google_bound_at timestamptz,
  -- Last accepted TOTP step: it and all before it are refused, on every node.
  last_totp_step bigint not null default 0,
  created_at timestamptz not null,
  deleted_at timestamptz
);
create unique index users_account on users (lower(account)) where deleted_at is null;

create table sign_in_failures (
  account text not null,
  ip text not null,
  failures int not null,
  locked_until timestamptz,
  last_at timestamptz not null,
  primary key (account, ip)
);

create table sessions (
  id bigint primary key,
  token_hash bytea not null unique,
  -- The HttpOnly cookie of the same session; browsers must send both.
  cookie_hash bytea not null,
  user_id bigint not null references users (id),
  stage text not null check (stage in ('binding', 'full')),
  ip text not null,
  user_agent text not null,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  second_token_hash bytea,
  second_expires_at timestamptz
);
create index sessions_user on sessions (user_id) where ended_at is null;

create table merchants (
  id bigint primary key generated always as identity (start with 10001),
  user_id bigint not null unique references users (id),
  name text not null check (length(name) between 1 and 128),
  enabled boolean not null default true,
  sign_type text not null default 'hmac-sha256' check (sign_type in ('md5', 'hmac-sha256')),
  secret bytea not null,
  callback_transport text not null default 'json' check (callback_transport in ('json', 'form', 'query')),
  created_at timestamptz not null
);

create table merchant_nonces (
  merchant_id bigint not null references merchants (id),
  nonce text not null,
  expires_at timestamptz not null,
  primary key (merchant_id, nonce)
);
create index merchant_nonces_expiry on merchant_nonces (expires_at);

create table suppliers (
  id bigint primary key generated always as identity (start with 20001),
  user_id bigint not null unique references users (id),
  -- The agent who brought this supplier and earns on its turnover.
  agent_id bigint references suppliers (id) check (agent_id <> id),
  name text not null check (length(name) between 1 and 128),
  enabled boolean not null default true,
  created_at timestamptz not null
);
create index suppliers_agent on suppliers (agent_id);

create table kyc_records (
  id bigint primary key,
  subject_kind text not null check (subject_kind in ('merchant', 'supplier', 'account')),
  subject_id bigint not null,
  verdict text not null check (verdict in ('pending', 'approved', 'rejected')),
  document_reference text not null,
  submitted_by bigint not null references users (id),
  submitted_at timestamptz not null,
  reviewed_by bigint references users (id),
  reviewed_at timestamptz,
  expires_at timestamptz,
  check (reviewed_by <> submitted_by),
  check ((verdict = 'pending') = (reviewed_by is null))
);
create index kyc_subject on kyc_records (subject_kind, subject_id, id desc);

create table products (
  id int primary key,
  name text not null,
  direction text not null check (direction in ('in', 'out')),
  currency text not null check (currency in ('INR', 'KES', 'USDT')),
  channel text not null check (channel in ('upi', 'bank', 'card', 'wallet', 'usdt', 'mpesa', 'gateway')),
  float_steps int not null check (float_steps between 0 and 100000),
  float_step_minor bigint not null check (float_step_minor >= 0),
  enabled boolean not null default true
);

-- Terms of a merchant, a supplier or an agent for a product. For an agent they are its commission on the
-- turnover of the suppliers it brought (owner_kind 'agent', owner_id its supplier id).
create table user_products (
  owner_kind text not null check (owner_kind in ('merchant', 'supplier', 'agent')),
  owner_id bigint not null,
  product_id int not null references products (id),
  enabled boolean not null default true,
  rate_ppm int not null check (rate_ppm between 0 and 1000000),
  fixed_fee bigint not null default 0 check (fixed_fee >= 0),
  min_amount bigint not null check (min_amount > 0),
  max_amount bigint not null check (max_amount >= min_amount),
  primary key (owner_kind, owner_id, product_id)
);

create table monitors (
  id bigint primary key generated always as identity (start with 30001),
  supplier_id bigint not null references suppliers (id),
  name text not null,
  secret bytea not null,
  script_version text,
  last_seen_at timestamptz,
  last_sequence bigint not null default 0
);

-- A receiving account: bank account and/or VPA of a supplier. Rarely updated; what changes with every order
-- stands in account_load.
create table accounts (
  id bigint primary key generated always as identity (start with 40001),
  supplier_id bigint not null references suppliers (id),
  bank text not null check (length(bank) between 1 and 128),
  owner_name text not null check (length(owner_name) between 1 and 128),
  account_number text not null check (account_number ~ '^\d{4,20}$'),
  account_tail text not null generated always as (right(account_number, 4)) stored,
  ifsc text check (ifsc ~ '^[A-Z]{4}0[A-Z0-9]{6}$'),
  vpa text,
  sender_header text not null,
  currency text not null check (currency in ('INR', 'KES', 'USDT')),
  purpose text not null,
  monitor_id bigint references monitors (id),
  daily_count_limit int,
  daily_amount_limit bigint,
  max_waiting int not null default 500 check (max_waiting > 0),
  created_at timestamptz not null
);
create index accounts_supplier on accounts (supplier_id);
create index accounts_monitor on accounts (monitor_id);

-- A resource: an account bound to one product.
create table resources (
  account_id bigint not null references accounts (id),
  product_id int not null references products (id),
  state smallint not null default 1 check (state in (0, 1)),
  min_amount bigint not null check (min_amount > 0),
  max_amount bigint not null check (max_amount >= min_amount),
  weight int not null default 100 check (weight between 0 and 10000),
  primary key (account_id, product_id)
);
create index resources_product on resources (product_id) where state = 0;

create table account_load (
  account_id bigint primary key references accounts (id),
  waiting_count int not null default 0 check (waiting_count >= 0),
  waiting_amount bigint not null default 0 check (waiting_amount >= 0),
  last_used_at timestamptz
);

-- Allocated (and not released) per business day of allocation: what the daily limits are held against.
create table account_days (
  account_id bigint not null references accounts (id),
  day date not null,
  orders int not null check (orders >= 0),
  amount bigint not null check (amount >= 0),
  primary key (account_id, day)
);

create table audit_log (
  id bigint primary key,
  user_id bigint,
  action text not null,
  subject text not null,
  before jsonb,
  after jsonb,
  ip text,
  created_at timestamptz not null
);
