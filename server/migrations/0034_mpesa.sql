-- M-Pesa by Daraja: what was asked of it and what it answered later.

alter table rail_watches add column registered_url text;

-- A request to a payer's phone for an order.
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

-- The last word about a payout, by the key of its send: the answer to a question comes later and to another node.
create table mpesa_words (
  key text primary key,
  state text not null check (state in ('processing', 'processed', 'failed')),
  receipt text,
  reason text,
  amount bigint,
  told_at timestamptz not null
);
