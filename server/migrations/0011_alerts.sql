-- Alerts: a fault that somebody has to know of, from its beginning until its cause is gone.

create table alerts (
  id bigint primary key,
  -- A kind of the contract.
  kind text not null,
  -- What it is about, unique among the kind's open ones: a number, or a name.
  subject text not null,
  -- Fields of its text.
  data jsonb not null,
  -- Whose subject it is; they are told of it as well.
  merchant_id bigint references merchants (id),
  supplier_id bigint references suppliers (id),
  opened_at timestamptz not null,
  acknowledged_at timestamptz,
  acknowledged_by bigint references users (id),
  -- Who it was, as people read it: the user's account, or the sender in a Telegram group.
  acknowledged_name text,
  -- The cause is gone.
  closed_at timestamptz,
  constraint acknowledged_by_somebody check ((acknowledged_at is null) = (acknowledged_name is null))
);
create unique index alerts_open on alerts (kind, subject) where closed_at is null;
create index alerts_acknowledged on alerts (acknowledged_at) where acknowledged_at is not null;
create index alerts_closed on alerts (closed_at) where closed_at is not null;

-- What has to be told outside: one row for each channel and event, gone when it is done.
create table alert_deliveries (
  id bigint primary key,
  alert_id bigint not null references alerts (id),
  event text not null check (event in ('opened', 'acknowledged', 'closed')),
  channel text not null check (channel in ('mail', 'webhook', 'telegram', 'sms')),
  due_at timestamptz not null,
  attempts int not null default 0,
  last_error text check (length(last_error) <= 300),
  token uuid,
  leased_until timestamptz
);
create index alert_deliveries_due on alert_deliveries (channel, due_at);
