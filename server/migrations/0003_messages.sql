-- Evidence: what monitors report, and what it completed.

create table messages (
  id bigint not null,
  monitor_id bigint not null,
  external_id text not null,
  kind text not null check (kind in ('sms', 'web', 'usdt')),
  sender text not null,
  text text not null,
  account_id bigint,
  supplier_id bigint not null,
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
    ('matched', 'unmatched', 'ambiguous', 'held', 'duplicate', 'untrusted', 'ignored', 'unparsed')),
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

-- A device's own message id: a report repeated answers as the first time.
create table message_keys (
  monitor_id bigint not null,
  external_id text not null,
  message_id bigint not null,
  primary key (monitor_id, external_id)
);

-- The same movement told twice (two devices, two wordings): same account, direction, amount and reference, or
-- same account, direction, amount, balance and bank time (trusted-chain.md 4.1).
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
