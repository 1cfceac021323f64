-- Bulk payout files: templates as data, batches of payouts locked for one file, and what the bank answered. Payouts that
-- merchants upload as a file.

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
  -- Made by the first export and the same ever after.
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

create table payout_batch_orders (
  batch_id bigint not null references payout_batches (id),
  row_number smallint not null check (row_number between 1 and 500),
  order_id bigint not null,
  -- What the bank's result names the row by.
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
  -- Why it failed, was returned or rejected.
  reason text,
  primary key (batch_id, row_number)
);
-- One open batch an order, whatever the number of nodes that make batches.
create unique index payout_batch_orders_open on payout_batch_orders (order_id) where state = 'pending';
create index payout_batch_orders_order on payout_batch_orders (order_id);

-- A merchant's file of payouts: its key makes it idempotent, its orders were created together or not at all.
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

alter table payout_orders add column upload_id bigint;
create index payout_orders_upload on payout_orders (upload_id) where upload_id is not null;
-- Debits of a paying account are looked up among what it has under way.
create index payout_orders_paying on payout_orders (account_id, amount) where account_id is not null and status in (2, 7, 8);
-- Debits that no payout has yet: a paying account's are looked through again and again.
create index messages_open_debits on messages (account_id, id) where direction = 'debit' and state = 'ignored' and order_id is null;
