-- Settlement: credits of a merchant with a term of n days wait in 'pending' and a run makes them available n business days
-- later. Pending money of one due day is one ledger account: its slot is the due day, in days since 1970 (a smallint lasts
-- until 2059).

alter table merchants add column settlement_days smallint not null default 0 check (settlement_days between 0 and 30);

-- Not on the balance: an index that names it would make every change of any balance rewrite index entries.
create index ledger_accounts_pending on ledger_accounts (slot) where bucket = 'pending';

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
create unique index settlement_runs_daily on settlement_runs (through_day) where started_by is null;
create index settlement_runs_open on settlement_runs (id) where finished_at is null;

-- One balance moved by one run; the posting says the rest.
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
