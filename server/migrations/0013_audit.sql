-- The sealed audit: blocks over the rows of audit_log, order_events, approvals, postings and ledger_entries.

-- A block has all rows of the transactions from_tx (included) to to_tx (excluded); the next one begins where it ends.
create table audit_blocks (
  number bigint primary key check (number > 0),
  from_tx bigint not null unique check (from_tx >= 0),
  to_tx bigint not null check (to_tx > from_tx),
  row_count int not null check (row_count > 0),
  -- 41 bytes a row: its kind, its id, the SHA-256 of its text; by kind, transaction and id.
  leaves bytea not null check (length(leaves) = 41 * row_count),
  sealed_at timestamptz not null,
  -- SHA-256 of the block before; of nothing for the first.
  previous bytea not null unique check (length(previous) = 32),
  -- SHA-256 of the block's head, and the signature over it.
  hash bytea not null unique check (length(hash) = 32),
  key_id text not null,
  signature bytea not null check (length(signature) = 64)
);
alter table audit_blocks alter column leaves set storage external;
create index audit_blocks_to on audit_blocks (to_tx);

-- How far the check of all blocks has come.
create table audit_checks (
  id smallint primary key check (id = 1),
  -- The first block of the turn that was not looked at yet.
  next_block bigint not null,
  turn_started_at timestamptz not null,
  -- The newest block that the last whole turn, or the look at the newest ones since, found good with all before it.
  good_to bigint not null,
  turn_ended_at timestamptz,
  looked_at timestamptz not null,
  announced_on date
);

-- Rows that are not as they were sealed. gone_at: a later look found the row as it was.
create table audit_faults (
  kind text not null check (kind in ('audit', 'event', 'approval', 'decision', 'posting', 'entry', 'block')),
  row_id bigint not null,
  fault text not null check (fault in ('changed', 'missing', 'added', 'moved')),
  block bigint,
  found_at timestamptz not null,
  seen_at timestamptz not null,
  gone_at timestamptz,
  primary key (kind, row_id, fault)
);
create index audit_faults_open on audit_faults (found_at) where gone_at is null;
