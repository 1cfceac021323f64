-- The trusted chain: every message with a balance is an edge from the balance before it to the one after.

alter table accounts
  -- Whether the bank states balances: always, sometimes, or never.
  add column balance_mode text not null default 'optional' check (balance_mode in ('required', 'optional', 'none'));

-- One row an account: whoever places a message holds it, so that each account's messages are placed one after the other.
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
  minute int not null,
  place int not null,
  is_coarse boolean not null,
  is_surplus boolean not null,
  is_fork boolean not null,
  state text not null check (state in ('linked', 'patched', 'inferred', 'orphan', 'fork', 'pending')),
  previous_id bigint,
  next_id bigint,
  primary key (account_id, id),
  check ((kind = 'patch') = (patch_id is not null)),
  check (previous_id <> id and next_id <> id)
);
create index chain_nodes_position on chain_nodes (account_id, minute, place);
create index chain_nodes_balance on chain_nodes (account_id, balance, minute);
create index chain_nodes_before on chain_nodes (account_id, balance_before, minute);
-- The few that are not as they should be.
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
  -- When its device was asked to tell its inbox again, and when people were told.
  asked_at timestamptz,
  alerted_at timestamptz,
  check ((state = 'open') = (closed_at is null))
);
create unique index chain_gaps_live on chain_gaps (account_id, tail_id, head_id) where state <> 'closed';
create index chain_gaps_open on chain_gaps (account_id) where state = 'open';

-- A credit that would complete its order, were it borne out by its chain.
create table chain_holds (
  message_id bigint primary key,
  account_id bigint not null references accounts (id),
  order_id bigint not null,
  evidence text not null,
  held_at timestamptz not null,
  -- Until then its chain may bear it out; then an operator decides.
  until timestamptz not null
);
create index chain_holds_account on chain_holds (account_id);
