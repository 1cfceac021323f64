-- Gateways of more than one maker, and what they tell by themselves.

-- Whose API a gateway account speaks; of no meaning for other kinds.
alter table accounts add column gateway_provider text not null default 'razorpayx'
  check (gateway_provider in ('razorpayx', 'cashfree'));

-- An M-Pesa short code has an API too.
alter table accounts
  drop constraint credentials_of_gateways,
  add constraint credentials_of_rails check (credentials is null or kind in ('gateway', 'mpesa'));

-- A signed event, told once or many times.
create table gateway_events (
  account_id bigint not null references accounts (id),
  event_id text not null,
  event text not null,
  reference text,
  order_id bigint,
  -- Null until its effect is written down: told again, it is then worked on again.
  outcome text,
  told int not null default 1,
  received_at timestamptz not null,
  primary key (account_id, event_id)
);
create index gateway_events_newest on gateway_events (account_id, received_at desc);
