-- Saved views of list screens, and how each user last arranged each list.

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

create table list_choices (
  user_id bigint not null references users (id),
  list text not null,
  arrangement jsonb not null,
  default_view_id bigint references list_views (id) on delete set null,
  updated_at timestamptz not null,
  primary key (user_id, list)
);
create index list_choices_default on list_choices (default_view_id) where default_view_id is not null;
