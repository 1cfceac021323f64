-- The archive: orders older than DataClearCycle, with their history, attempts and messages, in files outside the database. The
-- owner of the tables writes all this; the application reads it, and asks for an order back.

-- One file: the rows of one table and month that were ready. A month has more parts where rows were kept at first, or restored.
create table archives (
  id bigint primary key,
  table_name text not null check (table_name in
    ('collection_orders', 'payout_orders', 'order_events', 'callback_attempts', 'messages')),
  month date not null check (extract(day from month) = 1),
  part int not null check (part > 0),
  -- No order of it was created or changed from this day on (UTC): later days still have all their orders.
  until date not null,
  -- writing: the file is not whole. checked: it is whole, was read back and compared, and its rows are still in their table.
  -- removed: the rows are in the file alone. givenUp: rows changed meanwhile, the file is gone.
  state text not null check (state in ('writing', 'checked', 'removed', 'givenUp')),
  file text not null unique,
  -- What the places of a line are.
  columns text[] not null default '{}',
  row_count int not null default 0 check (row_count >= 0),
  -- With the count, says which rows.
  id_sum numeric not null default 0,
  bytes bigint not null default 0,
  -- Of orders by day, merchant and currency: [{day, merchantId, currency, count, amount, moved}].
  sums jsonb not null default '[]',
  -- SHA-256 of the file's manifest, and the signature over it.
  hash bytea check (length(hash) = 32),
  key_id text,
  signature bytea check (length(signature) = 64),
  started_at timestamptz not null,
  checked_at timestamptz,
  ended_at timestamptz,
  -- Why the last try failed; null: it did not.
  failure text,
  unique (table_name, month, part),
  check ((state in ('checked', 'removed')) <= (hash is not null and signature is not null and checked_at is not null)),
  check ((state in ('removed', 'givenUp')) = (ended_at is not null))
);
create unique index archives_open on archives (table_name, month) where state in ('writing', 'checked');

-- Pieces of a file that are read alone. Rows lie in the order of their orders.
create table archive_frames (
  archive_id bigint not null references archives (id),
  number int not null,
  starts_at bigint not null,
  length int not null check (length > 0),
  row_count int not null check (row_count > 0),
  first_order bigint not null,
  last_order bigint not null check (last_order >= first_order),
  -- SHA-256 of the text.
  hash bytea not null check (length(hash) = 32),
  primary key (archive_id, number)
);

-- The orders that are in the archive alone. No foreign key to archives, which lose no rows: to look up the one archive of a month
-- for each of its orders took twice the time of writing them.
create table archived_orders (
  order_id bigint primary key,
  direction text not null check (direction in ('in', 'out')),
  archive_id bigint not null
);
create index archived_orders_archive on archived_orders (archive_id);

-- Sealed history that left the database: 48 bytes a row, its id, its order, the SHA-256 of its text, by id; signed.
create table archived_events (
  archive_id bigint not null references archives (id),
  number int not null,
  first_id bigint not null,
  last_id bigint not null,
  leaves bytea not null check (length(leaves) > 0 and length(leaves) % 48 = 0),
  key_id text not null,
  signature bytea not null check (length(signature) = 64),
  primary key (archive_id, number)
);
alter table archived_events alter column leaves set storage external;
create index archived_events_ids on archived_events (first_id, last_id);

-- Orders that somebody asked back, one or a whole file of orders.
create table archive_restores (
  id bigint primary key,
  order_id bigint,
  archive_id bigint references archives (id),
  state text not null default 'waiting' check (state in ('waiting', 'done')),
  asked_by bigint references users (id),
  reason text not null,
  asked_at timestamptz not null,
  done_at timestamptz,
  failure text,
  check (num_nonnulls(order_id, archive_id) = 1),
  check ((state = 'done') = (done_at is not null))
);
create unique index archive_restores_waiting on archive_restores (order_id, archive_id) nulls not distinct where state = 'waiting';
create index archive_restores_order on archive_restores (order_id, asked_at) where order_id is not null;

-- Archives whose rows were written to while their file was made. As the owner: the application writes the rows, and not this.
create table archive_touches (
  archive_id bigint primary key
);
create function note_archive_touch() returns trigger language plpgsql security definer as $$
begin
  insert into archive_touches values (tg_argv[0]::bigint) on conflict do nothing;
  return null;
end
$$;
