-- What the console's frame needs: messages to people, errors their browsers met, and indexes for what is looked for several
-- times a second by every node (who has been signed out, what has been decided).

create table inbox_messages (
  id bigint primary key,
  user_id bigint not null references users (id),
  -- Null: the system.
  sender_id bigint references users (id),
  -- 'letter' or a notice of the contract, worded when it is read.
  kind text not null,
  data jsonb not null,
  folder text not null default 'unread' check (folder in ('unread', 'readed', 'trash')),
  -- When it came into its folder: a moved message goes on top.
  moved_at timestamptz not null,
  created_at timestamptz not null
);
create index inbox_messages_folder on inbox_messages (user_id, folder, moved_at desc, id desc);

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

create index sessions_ended on sessions (ended_at) where ended_at is not null;
create index sessions_expiry on sessions (expires_at);
create index approvals_decided on approvals (decided_at) where decided_at is not null;
