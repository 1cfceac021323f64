-- Requests that wait for a second pair of eyes, and the proof that the books hold.

create table approvals (
  id bigint primary key,
  -- The kinds stand in contract/src/approvals.ts.
  kind text not null,
  subject_kind text not null check (subject_kind in ('order', 'merchant', 'supplier')),
  subject_id bigint not null,
  payload jsonb not null,
  reason text,
  status text not null default 'pending'
    check (status in ('pending', 'approved', 'refused', 'expired', 'withdrawn')),
  started_by bigint not null references users (id),
  started_at timestamptz not null,
  expires_at timestamptz not null,
  decided_by bigint references users (id),
  decided_at timestamptz,
  decide_reason text,
  -- What its execution came to: written with the decision, in one transaction.
  result jsonb,
  -- The requester's own key: the same request again is the same row.
  request_key text,
  -- At most one pending request of its kind about its subject; otherwise any number.
  is_sole boolean not null,
  constraint maker_is_not_checker check (decided_by <> started_by),
  constraint decided_by_someone check ((status in ('approved', 'refused')) = (decided_by is not null)),
  constraint decided_at_some_time check ((status = 'pending') = (decided_at is null)),
  constraint approved_is_executed check ((status = 'approved') = (result is not null)),
  constraint one_request_per_key unique (started_by, request_key)
);
create unique index approvals_sole on approvals (kind, subject_kind, subject_id) where status = 'pending' and is_sole;
create index approvals_pending on approvals (kind, id desc) where status = 'pending';
create index approvals_started on approvals (started_by, id desc);

-- A job that one node at a time does. The lease is kept until the next round is due.
create table job_leases (
  name text primary key,
  token uuid not null,
  leased_until timestamptz not null
);

create table verify_runs (
  id bigint primary key,
  scope text not null check (scope in ('whole', 'recent')),
  checks int not null,
  -- [{name, detail}] of every check that does not hold, with the first row that breaks it.
  broken jsonb not null,
  is_ok boolean not null generated always as (broken = '[]'::jsonb) stored,
  started_at timestamptz not null,
  duration_ms int not null
);
