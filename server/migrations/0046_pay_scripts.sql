-- Pay scripts: programs of the operator's that speak to a gateway whose API is not built in.

create table pay_scripts (
  id bigint primary key generated always as identity,
  name text not null unique,
  live_version int,
  created_by bigint not null references users (id),
  created_at timestamptz not null
);

-- A version is never changed, only tried and released.
create table pay_script_versions (
  script_id bigint not null references pay_scripts (id),
  version int not null check (version > 0),
  code text not null,
  -- What it may fetch from: scheme, host and port.
  origins text[] not null,
  note text not null,
  created_by bigint not null references users (id),
  created_at timestamptz not null,
  -- When it first worked on a recorded request, and when two people first let it go live.
  tried_at timestamptz,
  released_at timestamptz,
  primary key (script_id, version),
  constraint released_is_tried check (released_at is null or tried_at is not null)
);
alter table pay_scripts add constraint live_version_exists
  foreign key (id, live_version) references pay_script_versions (script_id, version);

-- Every call of a script, with what it fetched; secrets are masked before they come here.
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
  -- What it answered; null where it failed.
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

alter table accounts
  drop constraint accounts_gateway_provider_check,
  add constraint gateway_provider_known check (gateway_provider in ('razorpayx', 'cashfree', 'script')),
  add column pay_script_id bigint references pay_scripts (id),
  add constraint script_of_its_account check ((gateway_provider = 'script') = (pay_script_id is not null));

alter table approvals
  drop constraint approvals_subject_kind_check,
  add constraint approvals_subject_kind_check
    check (subject_kind in ('order', 'merchant', 'supplier', 'account', 'payScript'));
