-- Orders: what both directions share, collection orders, and callbacks to merchants.
-- Bounds of partitions are the first ids of months: ids are time-ordered, so a look-up by id and a range of time both need
-- the right months only. Each index entry costs its order 8 to 12 µs and some 100 bytes of WAL when it is made and again
-- when its status changes (measured over 10,000,000 orders), so an index leaves out what most orders do not have.

-- Trusted: the owner of the database may create it.
create extension if not exists pg_trgm;

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

-- A UTR is used once per reference family (UPI and IMPS share one numbering, NEFT and RTGS another): by an order, or by a message
-- that was settled outside the platform.
create table utr_uses (
  family text not null,
  -- A reference of a bank or chain, never a placeholder: the first order that took '-' or 'NA' would keep it from all others
  -- (contract/src/references.ts says the same, and a little more).
  utr text not null constraint utr_is_a_reference check (utr ~ '^[A-Z0-9]{6,80}$' and utr ~ '([0-9].*){3}'),
  order_id bigint not null,
  used_at timestamptz not null,
  primary key (family, utr)
);
create index utr_uses_order on utr_uses (order_id);

create table order_events (
  id bigint not null,
  tx_id bigint not null default pg_current_xact_id()::text::bigint,
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
create index order_events_tx on order_events (tx_id);

-- Screenshots of payments that payers or merchants add to an order (AllowPictureQueryOrder).
create table order_pictures (
  id bigint primary key,
  order_id bigint not null,
  source text not null check (source in ('payer', 'merchant')),
  mime text not null check (mime in ('image/png', 'image/jpeg')),
  bytes bytea not null check (length(bytes) between 1 and 524288),
  added_at timestamptz not null
);
create index order_pictures_order on order_pictures (order_id);

-- Collection

create table collection_orders (
  id bigint not null,
  merchant_id bigint not null,
  mch_order_no text not null,
  product_id int not null,
  currency text not null,
  amount bigint not null check (amount > 0),
  payable bigint check (payable >= amount),
  received bigint check (received > 0),
  -- Statuses and marks stand in contract/src/orders.ts.
  status smallint not null check (status between 0 and 6),
  -- The status, with one value for 'paid' (6, its callback under way) and 'callback succeeded' (3). Lists look by it: the step
  -- from 6 to 3 then changes nothing that is indexed, and PostgreSQL writes the row's new version beside the old one without
  -- index entries (measured: 8 µs an order, 34 with entries in eight indexes). The queue of callbacks finds the few under way.
  stage smallint not null generated always as (case status when 6 then 3 else status end) stored,
  supplement_status smallint not null default 0 check (supplement_status in (0, 1)),
  mark smallint not null default 0 check (mark between 0 and 4),
  frozen boolean not null default false,
  legal_hold boolean not null default false,
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
  -- When the merchant first acknowledged the payment, and at which attempt.
  told_at timestamptz,
  told_attempt int,
  created_at timestamptz not null,
  primary key (id),
  check ((told_at is null) = (told_attempt is null)),
  check ((status in (3, 4, 6)) = (received is not null)),
  check ((received is null) = (paid_at is null)),
  check (status <> 1 or account_id is not null),
  constraint collection_legal_hold_freezes check (frozen or not legal_hold)
) partition by range (id);
-- How many orders a part of a text finds is estimated from samples of the texts; the usual hundred miss what is rare.
alter table collection_orders alter column user_name set statistics 1000, alter column subject set statistics 1000,
  alter column body set statistics 1000;
create index collection_orders_merchant on collection_orders (merchant_id, id desc);
-- With the account: an account's orders are counted among its supplier's without a look at each order.
create index collection_orders_supplier on collection_orders (supplier_id, id desc) include (account_id);
create index collection_orders_stage on collection_orders (stage, id desc);
create index collection_orders_utr on collection_orders (utr) where utr is not null;
create index collection_orders_identify on collection_orders (identify_code);
create index collection_orders_product on collection_orders (product_id, id desc);
create index collection_orders_amount on collection_orders (amount, id desc);
create index collection_orders_ip on collection_orders (client_ip, id desc) where client_ip is not null;
create index collection_orders_received on collection_orders (received, id desc) where received is not null;
create index collection_orders_usdt on collection_orders (payable, id desc) where currency = 'USDT';
create index collection_orders_mark on collection_orders (mark, id desc) where mark <> 0;
create index collection_orders_supplemented on collection_orders (id desc) where supplement_status = 1;
create index collection_orders_reversed on collection_orders (id desc) where reversed_at is not null;
create index collection_orders_payer on collection_orders using gin (user_name gin_trgm_ops) where user_name is not null;
create index collection_orders_description on collection_orders
  using gin (subject gin_trgm_ops, body gin_trgm_ops) where subject is not null or body is not null;
-- Lists by time of completion (CompleteTimeFilter): completion follows creation closely, so a range of blocks is enough.
create index collection_orders_paid_at on collection_orders using brin (paid_at) with (autosummarize = on);
-- Orders that may be paid by money that matched none. An order paid in time never enters these two.
create index collection_orders_claimed on collection_orders (id desc)
  where stage in (1, 2) and (payer_utr is not null or mark = 3);
create index collection_orders_timed_out on collection_orders (account_id, id desc) where stage = 2;

-- The small hot set: orders waiting for money on an account, timed out ones included until their grace ends.
create table waiting_orders (
  order_id bigint primary key,
  merchant_id bigint,
  product_id int,
  account_id bigint not null references accounts (id),
  supplier_id bigint not null,
  currency text not null,
  amount bigint not null,
  payable bigint not null,
  -- A paybill's payers name their order, so any number of orders of one amount may wait there: each has a slot of its own.
  -- Everywhere else it is 0.
  slot bigint not null default 0,
  -- What the supplier's deposit holds for the order; 0 where the deposit is charged when it is paid. The order keeps it, so
  -- that it ends rightly whatever the setting is by then.
  held bigint not null default 0 check (held >= 0),
  identify_code text not null unique,
  payer_utr text,
  user_name text,
  -- The business day whose limits it counts against.
  day date not null,
  allocated_at timestamptz not null,
  expires_at timestamptz not null,
  release_at timestamptz not null,
  timed_out boolean not null default false,
  -- Keeps two orders off one payable amount.
  constraint one_order_per_payable unique (account_id, payable, slot)
);
create index waiting_orders_expiry on waiting_orders (expires_at) where not timed_out;
create index waiting_orders_release on waiting_orders (release_at) where timed_out;
create index waiting_orders_utr on waiting_orders (payer_utr) where payer_utr is not null;
create index waiting_orders_supplier on waiting_orders (supplier_id);

-- Amounts whose order has ended. Its message may still come, or come again in another wording, so for a while nobody else
-- waits for them.
create table cooling_amounts (
  account_id bigint not null,
  payable bigint not null,
  -- Whose it was: this order may have it again.
  order_id bigint not null,
  until timestamptz not null,
  -- So long a credit of it may be a payment that came already, in another wording.
  remembered_until timestamptz not null,
  -- When it was last paid by evidence without a reference, and by evidence with one.
  bare_at timestamptz,
  stated_at timestamptz,
  -- When an order of it last ended unpaid.
  unpaid_at timestamptz,
  -- The order that an operator last completed with it, and whose message is still to come.
  awaiting_id bigint,
  check (remembered_until >= until),
  primary key (account_id, payable)
);
create index cooling_amounts_remembered on cooling_amounts (remembered_until);

-- The candidates of one allocation run, shared by all orders placed in it, with the reasons against an account that hold for
-- each order. An order's event names its run and what differed for it.
create table allocation_runs (
  id bigint not null,
  product_id int not null,
  candidates jsonb not null,
  created_at timestamptz not null,
  primary key (id)
) partition by range (id);

-- Callbacks: the outbox. A callback is written once and stays as it is; what waits to be sent stands in callback_queue.

create table callbacks (
  id bigint primary key,
  order_id bigint not null,
  merchant_id bigint not null,
  -- Order in which an order's callbacks are sent, given under the order's lock. Ids of two nodes do not tell that order: they
  -- may number within one millisecond, or by clocks apart. From 1, so that the first needs no look at the others.
  place int not null check (place > 0),
  kind text not null check (kind in ('paid', 'manual', 'timeout', 'reversed', 'payout')),
  url text not null,
  transport text not null check (transport in ('json', 'form', 'query')),
  -- Field names and values as text, without sign. As json, not jsonb: they are read as often as written, nothing is looked for
  -- in them, and they reach the merchant in the documented order.
  fields json not null,
  -- 2: its retries were used up, 3: an operator took it off the queue. One that neither waits nor was given up was
  -- acknowledged.
  given_up smallint check (given_up in (2, 3)),
  created_at timestamptz not null
);
create unique index callbacks_order on callbacks (order_id, place);
create index callbacks_given_up on callbacks (id) where given_up = 2;

-- Small, and vacuumed in no time. The end of a callback costs the database 4 µs here (measured: 15 while the state stood in
-- callbacks, with all of its index entries).
create table callback_queue (
  callback_id bigint primary key,
  order_id bigint not null,
  merchant_id bigint not null,
  -- Among the callbacks of its order.
  place int not null,
  next_at timestamptz not null,
  -- Made so far, and how many of them before it was taken up again: the schedule counts from there.
  attempts int not null default 0,
  attempts_before int not null default 0
)
-- A look for what is due passes every index entry that ended since the last vacuum, 0.1 µs each. Vacuumed at a hundredth, the
-- entries are on so few pages that PostgreSQL would leave them in the index if it were not told otherwise.
with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 10000, vacuum_index_cleanup = on);
-- Exactly what the claim asks, in its order, so that no plan reads more than it takes (measured: a claim of 10,000 waiting took
-- 3 s where statistics were stale, 2 ms so).
create index callback_queue_due on callback_queue (merchant_id, next_at, callback_id);

-- What a node is sending: one row for each merchant of a claim, not one for each callback (measured: half of what a claim cost
-- the database).
create table callback_leases (
  claim bigint not null,
  merchant_id bigint not null,
  -- Those still being sent, or answered and not recorded.
  callback_ids bigint[] not null,
  until timestamptz not null,
  primary key (claim, merchant_id)
);

-- Takes back notifications of a timeout that were never tried. One that is being sent stays, and so do all while a node
-- claims (the lock of claim-lock.ts), since what it leases is not seen yet. A function, because its second statement must
-- see what was committed before the lock was taken.
create function withdraw_timeouts(order_ids bigint[], now timestamptz) returns void language plpgsql as $$
declare
  untried bigint[] := array(
    select q.callback_id from callback_queue q
    where q.attempts = 0 and q.callback_id = any(array(
      select id from callbacks where order_id = any(order_ids) and kind = 'timeout')));
begin
  if untried = '{}' or not pg_try_advisory_xact_lock_shared(7426004) then
    return;
  end if;
  with gone as (
    delete from callback_queue
    where callback_id = any(untried) and attempts = 0
      and callback_id not in (select unnest(callback_ids) from callback_leases where until >= now)
    returning callback_id)
  delete from callbacks where id in (select callback_id from gone);
end
$$;

create table callback_attempts (
  id bigint not null,
  callback_id bigint not null,
  order_id bigint not null,
  url text not null,
  http_method text not null,
  -- The whole request, of a callback that may be withdrawn while it is sent.
  request text,
  -- Of any other: what signing added to the callback's fields. The request is put together from both when somebody reads it.
  signed text,
  status int,
  answer text,
  error text,
  system_flag text,
  duration_ms int not null,
  created_at timestamptz not null,
  primary key (id),
  check (num_nonnulls(request, signed) = 1)
) partition by range (id);
create index callback_attempts_callback on callback_attempts (callback_id);
