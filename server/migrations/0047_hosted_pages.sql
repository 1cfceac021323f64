-- Orders paid on a gateway's own page, which the account's pay script asks for.

create table hosted_pages (
  order_id bigint not null,
  account_id bigint not null references accounts (id),
  -- 'asking' is written before the gateway hears of the order, so that a node that dies leaves a trace of it.
  state text not null check (state in ('asking', 'open', 'refused', 'failed')),
  tries int not null default 1,
  asked_at timestamptz not null,
  pay_url text,
  -- The gateway's own name of the order.
  reference text,
  reason text,
  -- When the gateway is asked next whether it was paid; null: no more.
  query_at timestamptz,
  primary key (order_id, account_id),
  constraint open_has_its_page check ((state = 'open') = (pay_url is not null))
);
create index hosted_pages_due on hosted_pages (query_at) where query_at is not null;
create index accounts_of_scripts on accounts (pay_script_id) where pay_script_id is not null;
