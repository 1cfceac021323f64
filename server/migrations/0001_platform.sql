-- Platform: nodes, jobs, the key, settings, the audit log.
-- Ids are 64-bit, time-ordered and made by the nodes (db/ids.ts). Small tables whose ids people type (merchants,
-- suppliers, monitors, accounts, templates, batches) use short numbers instead.

create table node_slots (
  slot smallint primary key check (slot between 0 and 1023),
  token uuid not null,
  leased_until timestamptz not null,
  -- Nodes that answer calls share the merchants' limits; workers do not.
  takes_calls boolean not null default true
);

-- A job that one node at a time does. The lease is kept until the next round is due.
create table job_leases (
  name text primary key,
  token uuid not null,
  leased_until timestamptz not null
);

-- One row. It proves that a node has the key that sealed the stored secrets.
create table master_key_proof (
  id smallint primary key check (id = 1),
  sealed bytea not null,
  -- What tokens and marks are made from: it outlives the master key.
  marks bytea not null
);

create table settings (
  name text primary key,
  value jsonb not null,
  updated_at timestamptz not null,
  updated_by bigint
);

-- The number of a row's transaction. The blocks of the sealed audit (0013) take rows in its order: a number below that of the oldest
-- transaction still open is never given again, whatever clocks and commit order were.
create table audit_log (
  id bigint primary key,
  tx_id bigint not null default pg_current_xact_id()::text::bigint,
  user_id bigint,
  -- Of the user at that time.
  role text,
  action text not null,
  subject text not null,
  before jsonb,
  after jsonb,
  reason text,
  ip text,
  -- The browser or program, and the session it was done in.
  device text,
  session_id bigint,
  -- The request whose approval did it.
  approval_id bigint,
  created_at timestamptz not null
);
create index audit_log_tx on audit_log (tx_id);
create index audit_log_subject on audit_log (subject, id desc);
create index audit_log_user on audit_log (user_id, id desc);

-- A statement that is sent before the answers of the earlier ones are known checks with this what it relies on. Where it does
-- not hold, the transaction fails like one that lost a race, and is run again.
create function assert_or_retry(holds boolean) returns void language plpgsql as $$
begin
  if holds is not true then
    raise exception 'another transaction came between' using errcode = 'serialization_failure';
  end if;
end
$$;
