-- Who has what open, and who still needs a user.

-- Screens that a window of a session's console shows or keeps in a tab. Each window tells its own, and again each minute.
create table session_screens (
  session_id bigint not null references sessions (id) on delete cascade,
  window_id uuid not null,
  -- Paths of the console, the one in front first.
  screens text[] not null,
  told_at timestamptz not null,
  primary key (session_id, window_id)
);

-- A review of who may sign in: every user is kept or removed, and a second person signs.
create table access_reviews (
  id bigint primary key,
  -- Null: begun by itself.
  opened_by bigint references users (id),
  opened_at timestamptz not null,
  closed_by bigint references users (id),
  closed_at timestamptz,
  check ((closed_by is null) = (closed_at is null))
);
create unique index access_reviews_open on access_reviews ((true)) where closed_at is null;

create table access_review_users (
  review_id bigint not null references access_reviews (id),
  user_id bigint not null references users (id),
  -- As they were when the review began.
  role text not null,
  last_used_at timestamptz,
  verdict text check (verdict in ('keep', 'remove')),
  decided_by bigint references users (id),
  decided_at timestamptz,
  primary key (review_id, user_id),
  check ((verdict is null) = (decided_by is null) and (verdict is null) = (decided_at is null))
);
