-- Evidence: what monitors report, the order it completes, and the trusted chain of each account's balances.

create table messages (
  id bigint not null,
  monitor_id bigint not null,
  external_id text not null,
  kind text not null check (kind in ('sms', 'web', 'usdt')),
  sender text not null,
  text text not null,
  supplier_id bigint not null,
  account_id bigint,
  -- What a template read in the text.
  template_id text,
  bank text,
  direction text check (direction in ('credit', 'debit')),
  currency text,
  amount bigint,
  balance bigint,
  account_tail text,
  utr text,
  payer text,
  remark text,
  bank_time timestamptz,
  time_precision text,
  state text not null check (state in
    ('matched', 'unmatched', 'ambiguous', 'held', 'duplicate', 'untrusted', 'ignored', 'unparsed', 'settledOutside')),
  reason text,
  order_id bigint,
  received_at timestamptz not null,
  reported_at timestamptz not null,
  primary key (id)
) partition by range (id);
create index messages_account on messages (account_id, id desc);
create index messages_supplier on messages (supplier_id, id desc);
create index messages_state on messages (state, id desc);
create index messages_utr on messages (utr) where utr is not null;
create index messages_order on messages (order_id) where order_id is not null;
-- Debits that no payout has yet: a paying account's are looked through again and again.
create index messages_open_debits on messages (account_id, id) where direction = 'debit' and state = 'ignored' and order_id is null;
-- Credits that found no order. A credit that matches at once never enters.
create index messages_lost on messages (id desc)
  where direction = 'credit' and state in ('unmatched', 'ambiguous', 'held', 'untrusted');
-- Credits that paid nothing so far, by amount: each report looks whether it says one of them again.
create index messages_open_amounts on messages (account_id, amount, id)
  where direction = 'credit' and state in ('unmatched', 'ambiguous', 'held', 'untrusted', 'settledOutside');
-- What may explain a gap of an account's chain: read at each placing, however much else the account's phone reports.
create index messages_floats on messages (account_id, id) where balance is null and direction is not null;
-- The list of all accounts' messages that state no balance.
create index messages_unstated on messages (id desc) where balance is null and direction is not null;

-- A device's own message id: a report repeated is answered as the first time.
create table message_keys (
  monitor_id bigint not null,
  external_id text not null,
  message_id bigint not null,
  primary key (monitor_id, external_id)
);

-- The same movement reported twice (two devices, two wordings): same account, direction, amount and reference, or same account,
-- direction, amount, balance and bank time.
create table message_fingerprints (
  account_id bigint not null,
  fingerprint text not null,
  message_id bigint not null,
  primary key (account_id, fingerprint)
);

-- One message completes at most one order, one order takes at most one message.
create table message_matches (
  order_id bigint primary key,
  message_id bigint not null unique,
  evidence text not null,
  created_at timestamptz not null
);

-- Message templates of the operator: their own, and changed copies of shipped ones (same id). What is not here is as shipped.
create table message_templates (
  id text primary key check (id ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(id) <= 64),
  version int not null check (version > 0),
  template jsonb not null,
  updated_at timestamptz not null,
  updated_by bigint references users (id)
);

create table message_template_versions (
  template_id text not null references message_templates (id),
  version int not null,
  template jsonb not null,
  created_at timestamptz not null,
  created_by bigint references users (id),
  primary key (template_id, version)
);

-- Sender numbers of banks beyond those shipped; matched exactly, one bank each.
create table bank_headers (
  header text primary key check (header ~ '^[A-Z0-9]{3,12}$'),
  bank text not null check (length(bank) between 1 and 64),
  created_at timestamptz not null,
  created_by bigint references users (id)
);

-- Counts changes of the set of templates: nodes compare it with what they have compiled.
create table message_template_set (
  only_row boolean primary key default true check (only_row),
  version bigint not null
);
insert into message_template_set (version) values (0);

-- Monitoring

create table monitor_log (
  id bigint not null,
  monitor_id bigint not null,
  phase text not null check (phase in
    ('heartbeat', 'received', 'parsed', 'placed', 'matched', 'held', 'failed', 'command')),
  message_id bigint,
  order_id bigint,
  detail jsonb not null default '{}',
  created_at timestamptz not null,
  primary key (id)
) partition by range (id);
create index monitor_log_monitor on monitor_log (monitor_id, id desc);

-- Clearing hides lines, it removes none: up to which line, when and by whom.
create table monitor_log_clearings (
  id bigint primary key,
  up_to bigint not null,
  cleared_at timestamptz not null,
  cleared_by bigint references users (id)
);

create table monitor_scripts (
  version text primary key check (version ~ '^[A-Za-z0-9._-]{1,64}$'),
  body text not null check (length(body) <= 1000000),
  note text not null,
  live boolean not null default false,
  created_at timestamptz not null,
  created_by bigint references users (id)
);
-- At most one is given to monitors.
create unique index monitor_scripts_live on monitor_scripts (live) where live;

create table monitor_commands (
  id bigint primary key,
  monitor_id bigint not null references monitors (id),
  kind text not null check (kind in ('resend', 'refreshScript')),
  -- Of resend: the inbox between two moments.
  from_time timestamptz,
  to_time timestamptz,
  reason text not null,
  asked_at timestamptz not null,
  asked_by bigint references users (id),
  first_given_at timestamptz,
  check ((kind = 'resend') = (from_time is not null and to_time is not null)),
  check (from_time <= to_time)
);
create index monitor_commands_monitor on monitor_commands (monitor_id, id desc);

-- A bank's own statement of an account, compared with what monitors reported: each line says how the two agree.

create table bank_statements (
  id bigint primary key,
  account_id bigint not null references accounts (id),
  file_name text not null,
  sha256 bytea not null,
  from_day date not null,
  to_day date not null,
  created_at timestamptz not null,
  created_by bigint references users (id)
);
create index bank_statements_account on bank_statements (account_id, id desc);

create table bank_statement_lines (
  statement_id bigint not null references bank_statements (id),
  -- Order of the comparison: the file's rows, then messages the file does not show.
  place int not null,
  -- Row of the file; null: only a message shows it.
  row int,
  day date not null,
  narration text not null,
  reference text,
  direction text not null check (direction in ('credit', 'debit')),
  amount bigint not null check (amount > 0),
  balance bigint,
  outcome text not null check (outcome in ('agrees', 'amountDiffers', 'missingHere', 'missingAtBank')),
  message_id bigint,
  order_id bigint,
  primary key (statement_id, place)
);

-- Trusted chain: every message with a balance is an edge from the balance before it to the one after.

-- One row an account: whoever places a message locks it, so that each account's messages are placed one after the other.
create table chain_accounts (
  account_id bigint primary key references accounts (id),
  changed_at timestamptz not null
);

create table chain_nodes (
  account_id bigint not null references accounts (id),
  -- The message's id, or a patch node's own.
  id bigint not null,
  kind text not null check (kind in ('message', 'inferred', 'patch')),
  patch_id bigint,
  -- Minor units, signed: a credit is positive.
  amount bigint not null check (amount <> 0),
  balance bigint not null,
  balance_before bigint not null generated always as (balance - amount) stored,
  -- Minutes since 1970, and the order within the minute.
  minute int not null,
  place int not null,
  -- What the flags and states mean stands in trusted-chain/node.ts.
  is_coarse boolean not null,
  is_surplus boolean not null,
  is_fork boolean not null,
  state text not null check (state in ('linked', 'patched', 'inferred', 'orphan', 'fork', 'repeat', 'pending')),
  previous_id bigint,
  next_id bigint,
  primary key (account_id, id),
  check ((kind = 'patch') = (patch_id is not null)),
  check (previous_id <> id and next_id <> id)
);
create index chain_nodes_position on chain_nodes (account_id, minute, place);
create index chain_nodes_balance on chain_nodes (account_id, balance, minute);
create index chain_nodes_before on chain_nodes (account_id, balance_before, minute);
-- The few nodes that somebody must look at.
create index chain_nodes_suspect on chain_nodes (account_id, minute) where state in ('orphan', 'fork', 'pending');

-- Two chains that follow each other in time but not in their balances.
create table chain_gaps (
  id bigint primary key,
  account_id bigint not null references accounts (id),
  tail_id bigint not null,
  head_id bigint not null,
  delta bigint not null check (delta <> 0),
  from_minute int not null,
  to_minute int not null,
  -- open: unexplained; patched: a live patch closes it; closed: what was missing came, or another gap took its place.
  state text not null check (state in ('open', 'patched', 'closed')),
  opened_at timestamptz not null,
  closed_at timestamptz,
  -- When its device was asked to report its inbox again, and when people were alerted.
  asked_at timestamptz,
  alerted_at timestamptz,
  check ((state = 'open') = (closed_at is null)),
  check (from_minute <= to_minute)
);
create unique index chain_gaps_live on chain_gaps (account_id, tail_id, head_id) where state <> 'closed';
create index chain_gaps_open on chain_gaps (account_id) where state = 'open';

-- A credit that will complete its order once its chain corroborates it.
create table chain_holds (
  message_id bigint primary key,
  account_id bigint not null references accounts (id),
  order_id bigint not null,
  evidence text not null,
  held_at timestamptz not null,
  -- Until then its chain may corroborate it; then an operator decides.
  until timestamptz not null,
  -- Last try after `until`; it is tried again when its chain has changed since. Null before.
  tried_at timestamptz
);
create index chain_holds_waiting on chain_holds (account_id) where tried_at is null;
create index chain_holds_overdue on chain_holds (account_id) where tried_at is not null;

-- What closes a gap of a chain where no message does: never edited, only withdrawn.
create table chain_patches (
  id bigint primary key,
  gap_id bigint not null references chain_gaps (id),
  account_id bigint not null references accounts (id),
  kind text not null check (kind in ('late-message', 'statement-line', 'order-supplement', 'payout', 'charge', 'opening', 'operator')),
  -- Minor units, signed: the movement that no message reported.
  amount bigint not null check (amount <> 0),
  -- Orders that account for it; those not paid yet are completed with it.
  order_ids bigint[] not null default '{}',
  reason text,
  evidence jsonb not null default '{}',
  state text not null check (state in ('proposed', 'live', 'superseded', 'withdrawn', 'dropped')),
  -- Null: the leak checker.
  author_id bigint references users (id),
  approved_by bigint references users (id),
  created_at timestamptz not null,
  ended_at timestamptz,
  ended_by bigint references users (id),
  end_reason text,
  check ((state in ('proposed', 'live')) = (ended_at is null)),
  check (author_id is null or reason is not null)
);
create unique index chain_patches_live on chain_patches (gap_id) where state = 'live';
create unique index chain_patches_proposed on chain_patches (gap_id) where state = 'proposed';
create index chain_patches_account on chain_patches (account_id, id desc);
-- Only what a live patch says tells of which account a payout was paid.
create index chain_patches_orders on chain_patches using gin (order_ids) where state = 'live';

-- Debits nobody can explain, close to a large credit: a forged pair leaves no trace in the balances.
create table chain_alerts (
  message_id bigint primary key,
  account_id bigint not null references accounts (id),
  credit_id bigint not null,
  created_at timestamptz not null
);

-- When the leak checker last ran, on whatever node.
create table chain_leak_checks (
  is_only boolean primary key default true check (is_only),
  last_at timestamptz not null
);
