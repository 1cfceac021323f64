-- What a monitor is told to do, what it runs, and how far its log has been put away.

alter table monitors add column enabled boolean not null default true;
alter table monitors add column created_at timestamptz;

create table monitor_scripts (
  version text primary key check (version ~ '^[A-Za-z0-9._-]{1,64}$'),
  body text not null check (length(body) <= 1000000),
  note text not null,
  live boolean not null default false,
  created_at timestamptz not null,
  created_by bigint references users (id)
);
-- At most one is what monitors are given.
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

-- Clearing puts lines away, it removes none: up to which line, when and by whom.
create table monitor_log_clearings (
  id bigint primary key,
  up_to bigint not null,
  cleared_at timestamptz not null,
  cleared_by bigint references users (id)
);
