-- Payout: orders, bulk files for banks, and merchants' uploads.

create table payout_orders (
  id bigint not null,
  merchant_id bigint not null,
  mch_order_no text not null,
  upload_id bigint,
  product_id int not null,
  currency text not null,
  amount bigint not null check (amount > 0),
  fee bigint not null check (fee >= 0),
  -- Statuses stand in contract/src/payouts.ts.
  status smallint not null check (status between 0 and 9),
  mark smallint not null default 0 check (mark between 0 and 4),
  -- Only a supplier says that it was paid: no debit message of its bank corroborates it yet.
  unproven boolean not null default false,
  frozen boolean not null default false,
  legal_hold boolean not null default false,
  supplier_id bigint,
  account_id bigint,
  -- The business day on which a supplier took the payout upon itself: the day whose limits of its terms, and of the paying
  -- account where one is known, it counts towards. Null: nobody took it.
  taken_on date,
  -- A claim is a lease: not confirmed by then, the order waits to be confirmed.
  claimed_at timestamptz,
  claimed_until timestamptz,
  -- The automatic process that holds the order ('gateway', a batch): people keep off until it is unlocked.
  locked_by text,
  locked_at timestamptz,
  payee_name text,
  payee_bank text,
  payee_account text,
  payee_ifsc text,
  payee_vpa text,
  payee_address text,
  payee_phone text,
  client_ip text,
  notify_url text,
  param1 text,
  param2 text,
  -- Sends to a gateway so far. A new one begins only after a failed end, and with a key of its own.
  attempt int not null default 0,
  -- A send whose answer is not recorded: under way, or lost with its node. Never sent again by itself.
  sending_since timestamptz,
  submitted_at timestamptz,
  gateway_ref text,
  asked_at timestamptz,
  -- When the gateway that completed it is asked next whether it took it back; null: never again.
  ask_again_at timestamptz,
  utr text,
  reject_reason text,
  supplier_commission bigint,
  agent_commission bigint,
  finished_at timestamptz,
  reversed_at timestamptz,
  -- When the merchant first acknowledged how it ended, and at which attempt.
  told_at timestamptz,
  told_attempt int,
  created_at timestamptz not null,
  primary key (id),
  check ((told_at is null) = (told_attempt is null)),
  constraint payout_waits_unowned check (status not in (0, 4) or supplier_id is null),
  constraint payout_claim_is_owned check (claimed_until is null or (status = 1 and supplier_id is not null)),
  constraint payout_end_has_time check ((status in (3, 4, 6)) = (finished_at is not null)),
  -- With or without a UTR: a result file that a supplier confirms is the supplier's statement either way.
  constraint payout_unproven_is_paid check (not unproven or status = 3),
  constraint payout_legal_hold_freezes check (frozen or not legal_hold),
  -- An account number beside a VPA would be paid by whoever looks for one first.
  constraint payout_names_one_way_to_pay check (num_nonnulls(payee_account, payee_vpa, payee_address, payee_phone) <= 1)
) partition by range (id);
-- As for collection_orders.
alter table payout_orders alter column payee_name set statistics 1000;

-- Lists
create index payout_orders_merchant on payout_orders (merchant_id, id desc);
create index payout_orders_supplier on payout_orders (supplier_id, id desc);
create index payout_orders_status on payout_orders (status, id desc);
create index payout_orders_utr on payout_orders (utr) where utr is not null;
create index payout_orders_upload on payout_orders (upload_id) where upload_id is not null;
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
create index payout_orders_finished_at on payout_orders using brin (finished_at) with (autosummarize = on);

-- What the sweeps look for: few rows of many.
create index payout_orders_claims on payout_orders (claimed_until) where claimed_until is not null;
create index payout_orders_at_gateway on payout_orders (product_id, asked_at) where status in (2, 7, 8);
create index payout_orders_asked_again on payout_orders (ask_again_at) where ask_again_at is not null;
create index payout_orders_sending on payout_orders (sending_since) where sending_since is not null;
create index payout_orders_waiting on payout_orders (product_id, id) where status = 0;
create index payout_orders_unproven on payout_orders (utr) where unproven;
-- Debits of a paying account are looked up among what it has under way.
create index payout_orders_paying on payout_orders (account_id, amount) where account_id is not null and status in (2, 7, 8);
-- Use of the daily limits: of a supplier's terms, and of the account that pays, where one is known (a batch's, a gateway's).
create index payout_orders_taken on payout_orders (supplier_id, product_id, taken_on) where taken_on is not null;
create index payout_orders_paid_from on payout_orders (account_id, taken_on) where account_id is not null and taken_on is not null;

-- Pictures of the bank's receipts that suppliers add to payouts they claimed. They prove nothing: people look at them.
create table payout_slips (
  id bigint primary key,
  order_id bigint not null,
  supplier_id bigint not null references suppliers (id),
  mime text not null check (mime in ('image/png', 'image/jpeg')),
  bytes bytea not null check (length(bytes) between 1 and 524288),
  -- SHA-256: an upload that is repeated because its answer was lost adds nothing.
  sha256 bytea not null check (length(sha256) = 32),
  added_by bigint not null references users (id),
  added_at timestamptz not null,
  unique (order_id, supplier_id, sha256)
);

-- Bulk files: templates as data, batches of payouts locked for one file, and the bank's results.

create table payout_templates (
  id bigint primary key generated always as identity (start with 50001),
  name text not null unique check (length(name) between 1 and 64),
  enabled boolean not null,
  created_at timestamptz not null
);

-- Never changed: a batch keeps the version it was made with.
create table payout_template_versions (
  template_id bigint not null references payout_templates (id),
  version int not null check (version > 0),
  -- contract/src/payout-templates.ts
  format jsonb not null,
  created_by bigint references users (id),
  created_at timestamptz not null,
  primary key (template_id, version)
);

create table payout_batches (
  id bigint primary key generated always as identity (start with 80001),
  supplier_id bigint not null references suppliers (id),
  account_id bigint not null references accounts (id),
  template_id bigint not null,
  template_version int not null,
  currency text not null,
  min_amount bigint not null check (min_amount > 0),
  max_amount bigint not null check (max_amount >= min_amount),
  order_count int not null check (order_count between 1 and 500),
  total bigint not null check (total > 0),
  -- When the bank is asked to pay; the number of the file among those of its account and day.
  pay_at timestamptz not null,
  pay_day date not null,
  serial int not null check (serial > 0),
  -- Made by the first export; later exports give the same.
  file_name text,
  file text,
  status text not null default 'prepared' check (status in ('prepared', 'exported', 'sent', 'closed', 'cancelled')),
  created_by bigint not null references users (id),
  request_key text not null,
  -- Of the request's content: the same key with another is refused.
  content_hash bytea not null,
  created_at timestamptz not null,
  exported_at timestamptz,
  sent_at timestamptz,
  ended_at timestamptz,
  unique (created_by, request_key),
  unique (account_id, pay_day, serial),
  foreign key (template_id, template_version) references payout_template_versions (template_id, version),
  constraint batch_end_has_time check ((status in ('closed', 'cancelled')) = (ended_at is not null)),
  constraint batch_file_is_exported check ((file is null) = (exported_at is null) and (file is null) = (file_name is null)),
  constraint batch_sent_has_time check (status not in ('sent', 'closed') or sent_at is not null and file is not null)
);
create index payout_batches_supplier on payout_batches (supplier_id, id desc);
create index payout_batches_account on payout_batches (account_id, id desc);

create table payout_batch_orders (
  batch_id bigint not null references payout_batches (id),
  row_number smallint not null check (row_number between 1 and 500),
  order_id bigint not null,
  -- The bank's result file names the row by it.
  reference text not null unique,
  amount bigint not null check (amount > 0),
  mode text not null,
  -- The exported file holds it: its bank may pay it, whatever becomes of it here.
  in_file boolean not null default false,
  state text not null default 'pending' check (state in ('pending', 'completed', 'failed', 'reversed', 'rejected', 'returned')),
  -- What the last result file says of it, until somebody confirms that.
  proposed text check (proposed in ('completed', 'failed', 'reversed', 'inProgress')),
  proposed_utr text,
  proposed_reason text,
  -- The file that says so (SHA-256), who took it in, and whether that was a supplier: then it stays the supplier's word, whoever confirms it.
  proposed_file bytea,
  proposed_by bigint references users (id),
  proposed_by_supplier boolean not null default false,
  -- The bank's own number of the row's transfer, as its files named it: the debit of that number is this payout's and no
  -- other's, also when the payout has failed since and was given to somebody else.
  bank_reference text,
  -- Why it failed, was returned or rejected.
  reason text,
  primary key (batch_id, row_number)
);
-- An order is in one open batch at most, whatever the number of nodes that make batches.
create unique index payout_batch_orders_open on payout_batch_orders (order_id) where state = 'pending';
create index payout_batch_orders_order on payout_batch_orders (order_id);
create index payout_batch_orders_bank_reference on payout_batch_orders (bank_reference) where bank_reference is not null;
-- Rows of an amount that their bank may have debited although nobody was paid.
create index payout_batch_orders_amount on payout_batch_orders (amount, order_id) where in_file and state <> 'completed';

create table payout_batch_results (
  id bigint primary key,
  batch_id bigint not null references payout_batches (id),
  file_name text not null,
  sha256 bytea not null,
  content text not null,
  row_count int not null,
  uploaded_by bigint not null references users (id),
  uploaded_at timestamptz not null
);
create index payout_batch_results_batch on payout_batch_results (batch_id, id desc);

-- A merchant's file of payouts: its key makes it idempotent, its orders are created together or not at all.
create table payout_uploads (
  id bigint primary key,
  merchant_id bigint not null references merchants (id),
  key text not null,
  content_hash bytea not null,
  order_count int not null check (order_count between 1 and 500),
  total bigint not null,
  created_at timestamptz not null,
  unique (merchant_id, key)
);
