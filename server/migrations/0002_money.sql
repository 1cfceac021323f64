-- Ledger: double entry, append-only. An account is (owner, currency, bucket); a busy platform account is
-- spread over slots so that no row is hot on the request path.

create table ledger_accounts (
  id bigint primary key,
  owner_kind text not null check (owner_kind in ('merchant', 'supplier', 'platform')),
  owner_id bigint not null,
  currency text not null check (currency in ('INR', 'KES', 'USDT')),
  bucket text not null,
  slot smallint not null default 0,
  balance bigint not null default 0,
  -- Lowest balance allowed: 0 for available, frozen and held money, minus the credit limit for a deposit,
  -- null where an account has none (platform, debt).
  floor bigint,
  unique (owner_kind, owner_id, currency, bucket, slot),
  constraint balance_above_floor check (floor is null or balance >= floor)
);

create table postings (
  id bigint primary key,
  -- Idempotency key: one event of one order posts once.
  key text not null unique,
  kind text not null,
  order_id bigint,
  currency text not null,
  -- Computed by the statement that inserts the entries, from the same rows.
  entry_count int not null check (entry_count >= 2),
  entry_sum bigint not null,
  reverses bigint unique references postings (id),
  reason text,
  user_id bigint,
  created_at timestamptz not null,
  constraint entries_sum_to_zero check (entry_sum = 0)
);
create index postings_order on postings (order_id);

create table ledger_entries (
  id bigint not null,
  posting_id bigint not null,
  account_id bigint not null,
  amount bigint not null check (amount <> 0),
  balance_after bigint not null,
  created_at timestamptz not null,
  primary key (id)
) partition by range (id);
create index ledger_entries_account on ledger_entries (account_id, id desc);
create index ledger_entries_posting on ledger_entries (posting_id);

-- Orders. Partition bounds are ids of month starts: ids are time-ordered, so a look-up by id alone and a time
-- range both prune to the right months.

create table collection_orders (
  id bigint not null,
  merchant_id bigint not null,
  mch_order_no text not null,
  product_id int not null,
  currency text not null,
  amount bigint not null check (amount > 0),
  payable bigint check (payable >= amount),
  received bigint check (received > 0),
  status smallint not null check (status between 0 and 6),
  supplement_status smallint not null default 0 check (supplement_status in (0, 1)),
  mark smallint not null default 0 check (mark between 0 and 4),
  supplier_id bigint,
  account_id bigint,
  identify_code text not null,
  client_ip text,
  user_name text,
  payer_utr text,
  utr text,
  notify_url text not null,
  return_url text,
  subject text,
  body text,
  param1 text,
  param2 text,
  -- Terms when the order was made: a new rate never changes an existing order.
  merchant_rate_ppm int not null,
  merchant_fixed_fee bigint not null,
  fee bigint,
  supplier_commission bigint,
  agent_commission bigint,
  allocated_at timestamptz,
  expires_at timestamptz,
  paid_at timestamptz,
  reversed_at timestamptz,
  created_at timestamptz not null,
  primary key (id),
  check ((status in (3, 4, 6)) = (received is not null)),
  check ((received is null) = (paid_at is null)),
  check (status <> 1 or account_id is not null)
) partition by range (id);
create index collection_orders_merchant on collection_orders (merchant_id, id desc);
create index collection_orders_supplier on collection_orders (supplier_id, id desc);
create index collection_orders_status on collection_orders (status, id desc);
create index collection_orders_utr on collection_orders (utr) where utr is not null;
create index collection_orders_identify on collection_orders (identify_code);

-- Order numbers of both directions; unique per merchant whatever the month.
create table merchant_orders (
  merchant_id bigint not null,
  mch_order_no text not null,
  order_id bigint not null unique,
  direction text not null check (direction in ('in', 'out')),
  -- SHA-256 of the fields that make two requests the same order.
  content_hash bytea not null,
  primary key (merchant_id, mch_order_no)
);
create index merchant_orders_number on merchant_orders (mch_order_no);

-- The small hot set: orders waiting for money on an account, timed out ones included until their grace ends.
-- Its unique index is what keeps two orders off one payable amount.
create table waiting_orders (
  order_id bigint primary key,
  account_id bigint not null references accounts (id),
  supplier_id bigint not null,
  currency text not null,
  amount bigint not null,
  payable bigint not null,
  identify_code text not null unique,
  payer_utr text,
  user_name text,
  day date not null,
  allocated_at timestamptz not null,
  expires_at timestamptz not null,
  release_at timestamptz not null,
  timed_out boolean not null default false,
  constraint one_order_per_payable unique (account_id, payable)
);
create index waiting_orders_expiry on waiting_orders (expires_at) where not timed_out;
create index waiting_orders_release on waiting_orders (release_at) where timed_out;
create index waiting_orders_utr on waiting_orders (payer_utr) where payer_utr is not null;
create index waiting_orders_supplier on waiting_orders (supplier_id);

create table order_events (
  id bigint not null,
  order_id bigint not null,
  kind text not null,
  from_status smallint,
  to_status smallint,
  actor_kind text not null check (actor_kind in ('user', 'merchant', 'payer', 'monitor', 'system')),
  actor_id bigint,
  reason text,
  ip text,
  data jsonb not null default '{}',
  created_at timestamptz not null,
  primary key (id)
) partition by range (id);
create index order_events_order on order_events (order_id);

-- The candidates of one allocation run, shared by all orders placed in it: what stands against an account whatever the
-- order. An order's event names its run and what differed for it.
create table allocation_runs (
  id bigint not null,
  product_id int not null,
  candidates jsonb not null,
  created_at timestamptz not null,
  primary key (id)
) partition by range (id);

create table payout_orders (
  id bigint not null,
  merchant_id bigint not null,
  mch_order_no text not null,
  product_id int not null,
  currency text not null,
  amount bigint not null check (amount > 0),
  fee bigint not null check (fee >= 0),
  status smallint not null check (status between 0 and 9),
  mark smallint not null default 0 check (mark between 0 and 4),
  supplier_id bigint,
  account_id bigint,
  payee_name text,
  payee_account text,
  payee_ifsc text,
  payee_vpa text,
  utr text,
  notify_url text,
  supplier_commission bigint,
  agent_commission bigint,
  finished_at timestamptz,
  reversed_at timestamptz,
  created_at timestamptz not null,
  primary key (id)
) partition by range (id);
create index payout_orders_merchant on payout_orders (merchant_id, id desc);
create index payout_orders_supplier on payout_orders (supplier_id, id desc);
create index payout_orders_status on payout_orders (status, id desc);

-- A UTR is used once per reference family (UPI and IMPS share one numbering, NEFT and RTGS another).
create table utr_uses (
  family text not null,
  utr text not null,
  order_id bigint not null,
  used_at timestamptz not null,
  primary key (family, utr)
);
create index utr_uses_order on utr_uses (order_id);

create table callbacks (
  id bigint primary key,
  order_id bigint not null,
  merchant_id bigint not null,
  kind text not null check (kind in ('paid', 'manual', 'timeout', 'reversed')),
  url text not null,
  transport text not null check (transport in ('json', 'form', 'query')),
  -- Field names and values as text, without sign.
  fields jsonb not null,
  state smallint not null default 0 check (state in (0, 1, 2)),
  attempts int not null default 0,
  next_at timestamptz not null,
  leased_until timestamptz,
  created_at timestamptz not null
);
create index callbacks_due on callbacks (next_at) where state = 0;
create index callbacks_order on callbacks (order_id);
create index callbacks_merchant on callbacks (merchant_id, next_at) where state = 0;

create table callback_attempts (
  id bigint not null,
  callback_id bigint not null,
  order_id bigint not null,
  url text not null,
  http_method text not null,
  request text not null,
  status int,
  answer text,
  error text,
  duration_ms int not null,
  created_at timestamptz not null,
  primary key (id)
) partition by range (id);
create index callback_attempts_callback on callback_attempts (callback_id);
