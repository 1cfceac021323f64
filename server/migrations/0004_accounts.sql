-- Accounts: where money comes in and goes out, the programs and devices behind them, and how much each has to do.

-- Pay scripts: programs of the operator that speak to a gateway whose API is not built in.
create table pay_scripts (
  id bigint primary key generated always as identity,
  name text not null unique,
  live_version int,
  created_by bigint not null references users (id),
  created_at timestamptz not null
);

-- A version is never changed, only tried and released.
create table pay_script_versions (
  script_id bigint not null references pay_scripts (id),
  version int not null check (version > 0),
  code text not null,
  -- What it may fetch from: scheme, host and port.
  origins text[] not null,
  note text not null,
  created_by bigint not null references users (id),
  created_at timestamptz not null,
  -- When it first worked on a recorded request, and when two people first let it go live.
  tried_at timestamptz,
  released_at timestamptz,
  primary key (script_id, version),
  constraint released_is_tried check (released_at is null or tried_at is not null)
);
alter table pay_scripts add constraint live_version_exists
  foreign key (id, live_version) references pay_script_versions (script_id, version);

-- A device or program that reports the messages of accounts.
create table monitors (
  id bigint primary key generated always as identity (start with 30001),
  supplier_id bigint not null references suppliers (id),
  name text not null,
  enabled boolean not null default true,
  secret bytea not null,
  script_version text,
  last_seen_at timestamptz,
  last_sequence bigint not null default 0,
  created_at timestamptz
);

-- Accounts of every kind and both directions. Rarely updated; what changes with every order stands in account_load.
create table accounts (
  id bigint primary key generated always as identity (start with 40001),
  supplier_id bigint not null references suppliers (id),
  -- Money comes in to it, or goes out of it. An account number has one direction: two rows would share one balance and one
  -- stream of messages.
  direction text not null default 'in' check (direction in ('in', 'out')),
  kind text not null default 'bank'
    check (kind in ('bank', 'upi', 'card', 'wallet', 'gateway', 'usdt', 'mpesa')),
  currency text not null check (currency in ('INR', 'KES', 'USDT')),
  -- ISO 3166, of the bank or wallet.
  country text not null default 'IN' check (country ~ '^[A-Z]{2}$'),
  bank text not null check (length(bank) between 1 and 128),
  owner_name text not null check (length(owner_name) between 1 and 128),
  -- By kind: digits of a bank ('bank', 'card') or those behind a VPA ('upi', 'wallet'), the account id at a gateway, a TRON
  -- address, an M-Pesa short code or phone.
  account_number text not null,
  account_tail text not null generated always as (right(account_number, 4)) stored,
  ifsc text check (ifsc ~ '^[A-Z]{4}0[A-Z0-9]{6}$'),
  vpa text,
  mpesa_type text check (mpesa_type in ('paybill', 'till', 'phone')),
  -- Whose API a gateway account speaks; of no meaning for other kinds.
  gateway_provider text not null default 'razorpayx'
    constraint gateway_provider_known check (gateway_provider in ('razorpayx', 'cashfree', 'script')),
  pay_script_id bigint references pay_scripts (id),
  -- Sealed by the vault; never shown again.
  credentials bytea,
  credentials_at timestamptz,
  monitor_id bigint references monitors (id),
  sender_header text not null,
  -- Whether the bank's messages state balances: always, sometimes, or never.
  balance_mode text not null default 'optional' check (balance_mode in ('required', 'optional', 'none')),
  purpose text not null,
  frozen boolean not null default false,
  legal_hold boolean not null default false,
  daily_count_limit int,
  daily_amount_limit bigint,
  max_waiting int not null default 500 check (max_waiting > 0),
  -- Minutes of the business day's clock; closing before opening spans midnight, both null = always.
  opens_minute smallint check (opens_minute between 0 and 1439),
  closes_minute smallint check (closes_minute between 0 and 1439),
  -- Whose orders it takes; null = everybody's. Names of payers as payerKey() writes them.
  merchant_whitelist bigint[] check (cardinality(merchant_whitelist) between 1 and 500),
  payer_whitelist text[] check (cardinality(payer_whitelist) between 1 and 500),
  -- Users who entered whose account it is: they do not review the proof of its ownership.
  entered_by bigint[] not null default '{}',
  created_at timestamptz not null,
  constraint account_hold_freezes check (frozen or not legal_hold),
  constraint account_number_fits_kind check (case kind
    when 'usdt' then account_number ~ '^T[1-9A-HJ-NP-Za-km-z]{33}$'
    when 'mpesa' then account_number ~ (case mpesa_type when 'phone' then '^254[17]\d{8}$' else '^\d{5,7}$' end)
    when 'gateway' then account_number ~ '^[A-Za-z0-9_.-]{3,64}$'
    else account_number ~ '^\d{4,20}$' end),
  constraint currency_fits_kind check
    ((kind <> 'usdt' or currency = 'USDT') and (kind <> 'mpesa' or currency = 'KES')),
  constraint bank_has_ifsc check (kind <> 'bank' or country <> 'IN' or ifsc is not null),
  constraint upi_has_vpa check (kind not in ('upi', 'wallet') or vpa is not null),
  constraint mpesa_has_type check ((mpesa_type is not null) = (kind = 'mpesa')),
  constraint script_of_its_account check ((gateway_provider = 'script') = (pay_script_id is not null)),
  constraint credentials_of_rails check (credentials is null or kind in ('gateway', 'mpesa')),
  constraint credentials_have_time check ((credentials is null) = (credentials_at is null)),
  constraint hours_are_a_span check
    ((opens_minute is null) = (closes_minute is null) and (opens_minute is null or opens_minute <> closes_minute))
);
-- The same number at the same bank twice would receive for two owners.
create unique index accounts_number on accounts (account_number, bank);
create index accounts_supplier on accounts (supplier_id);
create index accounts_monitor on accounts (monitor_id);
create index accounts_of_scripts on accounts (pay_script_id) where pay_script_id is not null;

-- The account's own QR code as its bank made it, where somebody uploaded a picture of it.
create table account_pictures (
  account_id bigint primary key references accounts (id),
  mime text not null check (mime in ('image/png', 'image/jpeg')),
  bytes bytea not null check (length(bytes) between 1 and 524288),
  -- The text in the code.
  content text not null,
  uploaded_by bigint not null references users (id),
  uploaded_at timestamptz not null
);

-- A resource: an account bound to one product. State 0 is in use, 1 is not.
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

-- An account has one row here, and one a day in account_days. Each change raises its version, and each 64th version begins a
-- generation, which stands in the key: the index leads to the newest generation first. Under a long snapshot (a report, pg_dump)
-- nothing old can be removed; looked for by the account alone, a row is found behind all its versions of that time, and creates
-- fell to a third within a minute. Now it is behind 63 of them at most. All other changes leave the index alone: with the version
-- itself in the key, a create's loads cost 111 µs of PostgreSQL instead of 67.
create function load_generation(version bigint) returns bigint language sql immutable parallel safe return version / 64;

create table account_load (
  account_id bigint references accounts (id),
  version bigint not null default 0,
  generation bigint not null generated always as (load_generation(version)) stored,
  waiting_count int not null default 0 check (waiting_count >= 0),
  waiting_amount bigint not null default 0 check (waiting_amount >= 0),
  -- Of orders that timed out and can still be paid (their grace time): the deposit must carry them too.
  grace_amount bigint not null default 0 check (grace_amount >= 0),
  last_used_at timestamptz,
  primary key (account_id, generation)
)
-- Room on the page for the next versions.
with (fillfactor = 30, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000, vacuum_index_cleanup = on);

-- Per business day of allocation. `orders` and `amount` count against the daily limits and go back when an order times out;
-- `allocated` and `paid` do not: they say how many of a day's orders were paid.
create table account_days (
  account_id bigint not null references accounts (id),
  day date not null,
  version bigint not null default 0,
  generation bigint not null generated always as (load_generation(version)) stored,
  orders int not null check (orders >= 0),
  amount bigint not null check (amount >= 0),
  allocated int not null default 0 check (allocated >= 0),
  paid int not null default 0 check (paid >= 0),
  primary key (account_id, day, generation)
)
with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000, vacuum_index_cleanup = on);

-- The version of what people set up and allocation chooses from: accounts, resources, suppliers, merchants, products, terms,
-- KYC. Nodes remember these under the version they read them at. Each allocation reads the version together with what moves
-- all the time, so nothing is chosen by data that a committed change has made untrue.
create table allocation_pool_version (
  only_row boolean primary key default true check (only_row),
  version bigint not null
);
insert into allocation_pool_version (version) values (0);

create function note_allocation_pool_change() returns trigger language plpgsql as $$
begin
  -- Once a transaction, however many rows it changes.
  update allocation_pool_version set version = txid_current() where version <> txid_current();
  return null;
end
$$;

-- Deferred: the row is locked only while a change commits. A migration that changes rows of these tables and then alters them
-- says 'set constraints all immediate' in between.
create constraint trigger allocation_pool_changed after insert or update or delete on accounts
  deferrable initially deferred for each row execute function note_allocation_pool_change();
create constraint trigger allocation_pool_changed after insert or update or delete on resources
  deferrable initially deferred for each row execute function note_allocation_pool_change();
create constraint trigger allocation_pool_changed after insert or update or delete on suppliers
  deferrable initially deferred for each row execute function note_allocation_pool_change();
create constraint trigger allocation_pool_changed after insert or update or delete on merchants
  deferrable initially deferred for each row execute function note_allocation_pool_change();
create constraint trigger allocation_pool_changed after insert or update or delete on products
  deferrable initially deferred for each row execute function note_allocation_pool_change();
create constraint trigger allocation_pool_changed after insert or update or delete on user_products
  deferrable initially deferred for each row execute function note_allocation_pool_change();
create constraint trigger allocation_pool_changed after insert or update or delete on kyc_records
  deferrable initially deferred for each row execute function note_allocation_pool_change();
