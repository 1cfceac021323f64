-- A bank's own statement of an account, beside what monitors told: each line says how the two agree.

create table bank_statements (
  id bigint primary key,
  account_id bigint not null references accounts (id),
  file_name text not null,
  sha256 bytea not null,
  from_day date not null,
  to_day date not null,
  created_at timestamptz not null,
  created_by bigint references users (id)
);
create index bank_statements_account on bank_statements (account_id, id desc);

create table bank_statement_lines (
  statement_id bigint not null references bank_statements (id),
  -- Order of the comparison: the file's rows, then messages the file does not show.
  place int not null,
  -- Row of the file; null: only a message tells it.
  row int,
  day date not null,
  narration text not null,
  reference text,
  direction text not null check (direction in ('credit', 'debit')),
  amount bigint not null check (amount > 0),
  balance bigint,
  outcome text not null check (outcome in ('agrees', 'amountDiffers', 'missingHere', 'missingAtBank')),
  message_id bigint,
  order_id bigint,
  primary key (statement_id, place)
);
