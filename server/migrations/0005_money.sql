-- Money: the ledger, double entry and append-only, and the settlement of merchants.

-- An account is (owner, currency, bucket). A busy platform account is spread over slots, so that no row is hot on the request
-- path. Pending money of one due day is one account: its slot is the due day, in days since 1970 (a smallint lasts until 2059).
create table ledger_accounts (
  id bigint primary key,
  owner_kind text not null check (owner_kind in ('merchant', 'supplier', 'platform')),
  owner_id bigint not null,
  currency text not null check (currency in ('INR', 'KES', 'USDT')),
  bucket text not null,
  slot smallint not null default 0,
  balance bigint not null default 0,
  -- Lowest balance allowed: 0 for available, frozen and held money, minus the credit limit for a deposit, null where an
  -- account has none (platform, debt).
  floor bigint,
  unique (owner_kind, owner_id, currency, bucket, slot),
  constraint balance_above_floor check (floor is null or balance >= floor)
);
-- Not on the balance: an index that names it would make every change of any balance rewrite index entries.
create index ledger_accounts_pending on ledger_accounts (slot) where bucket = 'pending';

create table postings (
  id bigint primary key,
  tx_id bigint not null default pg_current_xact_id()::text::bigint,
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
create index postings_tx on postings (tx_id);

create table ledger_entries (
  id bigint not null,
  tx_id bigint not null default pg_current_xact_id()::text::bigint,
  posting_id bigint not null,
  account_id bigint not null,
  amount bigint not null check (amount <> 0),
  balance_after bigint not null,
  created_at timestamptz not null,
  primary key (id)
) partition by range (id);
create index ledger_entries_account on ledger_entries (account_id, id desc);
create index ledger_entries_posting on ledger_entries (posting_id);
create index ledger_entries_tx on ledger_entries (tx_id);

-- Settlement: credits of a merchant with a term of n days wait in 'pending', and a run makes them available n business days
-- later.

create table settlement_runs (
  id bigint primary key,
  -- Moves what is due on this day or before.
  through_day date not null,
  -- Null: of all merchants.
  merchant_id bigint references merchants (id),
  -- Null: the daily run.
  started_by bigint references users (id),
  -- Balances that were due at the start, and those moved so far.
  total int not null,
  done int not null default 0,
  started_at timestamptz not null,
  finished_at timestamptz
);
create unique index settlement_runs_daily on settlement_runs (through_day) where started_by is null and finished_at is null;
create index settlement_runs_open on settlement_runs (id) where finished_at is null;

-- One balance moved by one run; the posting has the details.
create table settlement_rows (
  run_id bigint not null references settlement_runs (id),
  ledger_account_id bigint not null references ledger_accounts (id),
  merchant_id bigint not null references merchants (id),
  currency text not null,
  due_day date not null,
  amount bigint not null check (amount > 0),
  posting_id bigint not null unique references postings (id),
  settled_at timestamptz not null,
  primary key (run_id, ledger_account_id)
);
create index settlement_rows_merchant on settlement_rows (merchant_id, posting_id desc);
