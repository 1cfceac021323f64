-- Parties made and changed from the console: profile locks, rotating secrets, freezes, terms with a date, levels of
-- agents, KYC notes, countries of accounts.

alter table users add column allow_modify boolean not null default true;

-- Null: the platform's setting CallbackType.
alter table merchants alter column callback_transport drop default;
alter table merchants alter column callback_transport drop not null;

-- A rotated secret still opens the API until its end, so that a merchant can change over without a gap.
alter table merchants add column previous_secret bytea;
alter table merchants add column previous_valid_until timestamptz;
alter table merchants add constraint previous_secret_ends
  check ((previous_secret is null) = (previous_valid_until is null));

-- Frozen: takes part in nothing new. A legal hold is a freeze by order of the law: it cannot be lifted by unfreezing,
-- and nothing of its subject may be cleared.
alter table merchants add column frozen boolean not null default false;
alter table merchants add column legal_hold boolean not null default false;
alter table merchants add constraint merchant_hold_freezes check (frozen or not legal_hold);
alter table suppliers add column frozen boolean not null default false;
alter table suppliers add column legal_hold boolean not null default false;
alter table suppliers add constraint supplier_hold_freezes check (frozen or not legal_hold);
alter table accounts add column frozen boolean not null default false;
alter table accounts add column legal_hold boolean not null default false;
alter table accounts add constraint account_hold_freezes check (frozen or not legal_hold);

-- The merchant a supplier was made together with (AutoCreateRelateSupplier, AutoCreateRelateMerchant).
alter table suppliers add column related_merchant_id bigint unique references merchants (id);

-- ISO 3166 country of the bank or wallet.
alter table accounts add column country text not null default 'IN' check (country ~ '^[A-Z]{2}$');

alter table kyc_records add column note text;
create index kyc_pending on kyc_records (id) where verdict = 'pending';

-- Every set of terms an owner has had or will have. user_products holds the ones in force; a loop moves those over
-- whose time has come. Commissions are read here as of an order's creation: new terms never change an existing order.
create table user_product_terms (
  id bigint primary key,
  owner_kind text not null check (owner_kind in ('merchant', 'supplier', 'agent')),
  owner_id bigint not null,
  product_id int not null references products (id),
  enabled boolean not null,
  rate_ppm int not null check (rate_ppm between 0 and 1000000),
  fixed_fee bigint not null check (fixed_fee >= 0),
  min_amount bigint not null check (min_amount > 0),
  max_amount bigint not null check (max_amount >= min_amount),
  effective_at timestamptz not null,
  -- Null while it waits for its time.
  applied_at timestamptz,
  set_by bigint references users (id),
  created_at timestamptz not null
);
create index user_product_terms_owner on user_product_terms (owner_kind, owner_id, product_id, effective_at desc, id desc);
create index user_product_terms_due on user_product_terms (effective_at) where applied_at is null;

-- The same number at the same bank twice would receive for two owners.
create unique index accounts_number on accounts (account_number, bank);
