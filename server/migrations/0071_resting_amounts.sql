-- Amounts whose order ended otherwise than by its message: it may still come, so that for a while nobody else waits for them.
create table resting_amounts (
  account_id bigint not null,
  payable bigint not null,
  -- Whose it was: it may have it again.
  order_id bigint not null,
  until timestamptz not null,
  primary key (account_id, payable)
);
create index resting_amounts_until on resting_amounts (until);
