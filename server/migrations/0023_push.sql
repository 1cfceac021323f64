-- The pair of keys that push services know this installation by (VAPID). A new pair would end every subscription.
create table push_keys (
  id smallint primary key check (id = 1),
  public_key text not null,
  sealed bytea not null,
  created_at timestamptz not null
);

-- Devices of suppliers that are told of new payouts to claim.
create table push_subscriptions (
  id bigint primary key,
  user_id bigint not null references users (id),
  -- The push service's address of the device: whoever knows it and its keys may write to it.
  endpoint text not null unique check (length(endpoint) <= 1024),
  p256dh text not null,
  auth text not null,
  language text not null check (language in ('en-US', 'zh-CN', 'zh-TW')),
  created_at timestamptz not null,
  -- Payouts up to this one have been told of.
  told_id bigint not null,
  -- Not told again before.
  quiet_until timestamptz not null,
  last_success_at timestamptz,
  -- In a row.
  failures int not null default 0 check (failures >= 0)
);
create index push_subscriptions_user on push_subscriptions (user_id, id desc);
