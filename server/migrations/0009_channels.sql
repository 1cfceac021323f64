-- Channels: rails whose money no monitor reports, because we ask for it or are called ourselves.

create table rail_watches (
  account_id bigint primary key references accounts (id),
  -- A monitor of our own: messages name who reported them.
  monitor_id bigint not null references monitors (id),
  -- Block time up to which transfers were read; null: not yet.
  read_until timestamptz,
  -- No node looks before. The node that looks moves it on, as its lease.
  next_at timestamptz not null,
  rescanned_at timestamptz,
  -- Of M-Pesa: the address it was given to call.
  registered_url text,
  problem text
);
create index rail_watches_due on rail_watches (next_at);

-- M-Pesa: a request to a payer's phone for an order.
create table stk_pushes (
  checkout_id text primary key,
  order_id bigint not null,
  account_id bigint not null references accounts (id),
  asked_at timestamptz not null,
  -- Null until M-Pesa says how it ended; 0 = paid.
  result_code int,
  result_text text,
  ended_at timestamptz
);
create index stk_pushes_order on stk_pushes (order_id);
create index stk_pushes_open on stk_pushes (asked_at) where result_code is null;

-- M-Pesa: the last result of a payout, by the key of its send. The answer to a question comes later and to another node.
create table mpesa_results (
  key text primary key,
  state text not null check (state in ('processing', 'processed', 'failed')),
  receipt text,
  reason text,
  amount bigint,
  reported_at timestamptz not null
);

-- A signed event of a gateway, which may send it many times.
create table gateway_events (
  account_id bigint not null references accounts (id),
  event_id text not null,
  event text not null,
  reference text,
  order_id bigint,
  -- Null until its effect is recorded: sent again, it is then worked on again.
  outcome text,
  -- How often it was sent.
  told int not null default 1,
  received_at timestamptz not null,
  primary key (account_id, event_id)
);
create index gateway_events_newest on gateway_events (account_id, received_at desc);

-- Orders paid on a gateway's own page, which the account's pay script asks for.
create table hosted_pages (
  order_id bigint not null,
  account_id bigint not null references accounts (id),
  -- 'asking' is written before the gateway hears of the order, so that a node that dies leaves a trace of it.
  state text not null check (state in ('asking', 'open', 'refused', 'failed')),
  tries int not null default 1,
  asked_at timestamptz not null,
  pay_url text,
  -- The gateway's own name of the order.
  reference text,
  reason text,
  -- When the gateway is asked next whether it was paid; null: no more.
  query_at timestamptz,
  primary key (order_id, account_id),
  constraint open_has_its_page check ((state = 'open') = (pay_url is not null))
);
create index hosted_pages_due on hosted_pages (query_at) where query_at is not null;

-- What a gateway told of an order's payments. Questions and notices may name one payment differently: each row is one payment.
create table hosted_payments (
  order_id bigint not null,
  account_id bigint not null references accounts (id),
  amount bigint not null,
  -- Null: it was not told.
  utr text,
  -- Its names in the answers to questions, and in notices; null: it was not told of in this way.
  by_question text,
  by_notice text,
  constraint one_payment_per_question unique (order_id, account_id, by_question),
  constraint one_payment_per_notice unique (order_id, account_id, by_notice),
  constraint payment_was_told check (by_question is not null or by_notice is not null)
);

-- Every call of a pay script, with what it fetched; secrets are masked before they come here.
create table pay_script_calls (
  id bigint primary key,
  script_id bigint not null,
  version int not null,
  function text not null check (function in ('createOrder', 'query', 'parseNotify', 'payout')),
  -- Null: a try.
  account_id bigint references accounts (id),
  order_id bigint,
  tried_by bigint references users (id),
  input json not null,
  -- Its answer; null where it failed.
  output json,
  fetches json not null,
  logs text[] not null,
  failure text,
  message text,
  line int,
  duration_ms int not null,
  foreign key (script_id, version) references pay_script_versions (script_id, version),
  constraint a_try_or_an_account check ((account_id is null) = (tried_by is not null)),
  constraint answered_or_failed check ((output is null) = (failure is not null))
);
create index pay_script_calls_newest on pay_script_calls (script_id, id desc);
create index pay_script_calls_order on pay_script_calls (order_id) where order_id is not null;
