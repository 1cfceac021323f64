-- What closes a gap of a chain where no message does: never edited, only withdrawn.

create table chain_patches (
  id bigint primary key,
  gap_id bigint not null references chain_gaps (id),
  account_id bigint not null references accounts (id),
  kind text not null check (kind in ('late-message', 'statement-line', 'order-supplement', 'payout', 'charge', 'opening', 'operator')),
  -- Minor units, signed: what was not told.
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
