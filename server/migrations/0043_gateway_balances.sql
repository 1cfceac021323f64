-- What a gateway last said of the money that an account has there.
create table gateway_balances (
  account_id bigint primary key references accounts (id),
  asked_at timestamptz not null,
  -- Minor units. Null: it has not answered yet.
  amount bigint,
  told_at timestamptz,
  check ((amount is null) = (told_at is null))
);
