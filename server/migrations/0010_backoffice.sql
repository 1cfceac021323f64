-- Back office: saved views of lists, errors in browsers, and the proof that the books hold.

create table list_views (
  id bigint primary key,
  owner_id bigint not null references users (id),
  -- The list's name; screens of one area share it.
  list text not null,
  name text not null check (length(name) between 1 and 64),
  -- Filter name → text as the screen's address carries it.
  filters jsonb not null,
  -- Columns, density, page size.
  arrangement jsonb not null,
  shared_roles text[] not null default '{}',
  updated_at timestamptz not null
);
create unique index list_views_name on list_views (owner_id, list, lower(name));
create index list_views_shared on list_views (list) where shared_roles <> '{}';

-- How each user last arranged each list.
create table list_choices (
  user_id bigint not null references users (id),
  list text not null,
  arrangement jsonb not null,
  default_view_id bigint references list_views (id) on delete set null,
  updated_at timestamptz not null,
  primary key (user_id, list)
);
create index list_choices_default on list_choices (default_view_id) where default_view_id is not null;

-- The same error of the same user on one day is one row that counts.
create table error_log (
  id bigint primary key,
  user_id bigint not null references users (id),
  day date not null,
  kind text not null check (kind in ('script', 'ajax')),
  code int not null,
  message text not null check (length(message) <= 1000),
  url text not null check (length(url) <= 500),
  stack text check (length(stack) <= 4000),
  user_agent text not null check (length(user_agent) <= 300),
  fingerprint bytea not null,
  count int not null default 1,
  first_at timestamptz not null,
  last_at timestamptz not null,
  unique (user_id, day, fingerprint)
);
create index error_log_user on error_log (user_id, id desc);

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
