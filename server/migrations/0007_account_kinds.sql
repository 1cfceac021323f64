-- Accounts of every kind and both directions in one table, pictures of their QR codes, and terms with limits per day.

alter table accounts
  -- Money comes in to it, or goes out of it. The number of an account is of one direction: two rows would share one
  -- balance and one stream of messages.
  add column direction text not null default 'in' check (direction in ('in', 'out')),
  -- What the account number is: digits of a bank ('bank', 'card') or those behind a VPA ('upi', 'wallet'), the account id at
  -- a gateway, a TRON address, an M-Pesa short code or phone.
  add column kind text not null default 'bank'
    check (kind in ('bank', 'upi', 'card', 'wallet', 'gateway', 'usdt', 'mpesa')),
  add column mpesa_type text check (mpesa_type in ('paybill', 'till', 'phone')),
  -- Minutes of the business day's clock; closing before opening spans midnight, both null = always.
  add column opens_minute smallint check (opens_minute between 0 and 1439),
  add column closes_minute smallint check (closes_minute between 0 and 1439),
  -- Whose orders it takes; null = everybody's. Names of payers as payerKey() writes them.
  add column merchant_whitelist bigint[] check (cardinality(merchant_whitelist) between 1 and 500),
  add column payer_whitelist text[] check (cardinality(payer_whitelist) between 1 and 500),
  -- Sealed by the vault; never shown again.
  add column credentials bytea,
  add column credentials_at timestamptz,
  add constraint hours_are_a_span check
    ((opens_minute is null) = (closes_minute is null) and (opens_minute is null or opens_minute <> closes_minute)),
  add constraint credentials_of_gateways check (credentials is null or kind = 'gateway'),
  add constraint credentials_have_time check ((credentials is null) = (credentials_at is null)),
  add constraint mpesa_has_type check ((mpesa_type is not null) = (kind = 'mpesa'));

update accounts set kind = case when vpa is not null then 'upi' else 'card' end where ifsc is null;

alter table accounts
  drop constraint accounts_account_number_check,
  add constraint account_number_fits_kind check (case kind
    when 'usdt' then account_number ~ '^T[1-9A-HJ-NP-Za-km-z]{33}$'
    when 'mpesa' then account_number ~ (case mpesa_type when 'phone' then '^254[17]\d{8}$' else '^\d{5,7}$' end)
    when 'gateway' then account_number ~ '^[A-Za-z0-9_.-]{3,64}$'
    else account_number ~ '^\d{4,20}$' end),
  add constraint currency_fits_kind check
    ((kind <> 'usdt' or currency = 'USDT') and (kind <> 'mpesa' or currency = 'KES')),
  add constraint bank_has_ifsc check (kind <> 'bank' or country <> 'IN' or ifsc is not null),
  add constraint upi_has_vpa check (kind not in ('upi', 'wallet') or vpa is not null);

-- The merchants' own picture of an account's QR code, where it has one.
create table account_pictures (
  account_id bigint primary key references accounts (id),
  mime text not null check (mime in ('image/png', 'image/jpeg')),
  bytes bytea not null check (length(bytes) between 1 and 524288),
  -- What the code says.
  content text not null,
  uploaded_by bigint not null references users (id),
  uploaded_at timestamptz not null
);

-- Limits per business day and, of a supplier, its weight among suppliers.
alter table user_products
  add column daily_count_limit int check (daily_count_limit >= 0),
  add column daily_amount_limit bigint check (daily_amount_limit >= 0),
  add column weight int not null default 100 check (weight between 0 and 10000);
alter table user_product_terms
  add column daily_count_limit int check (daily_count_limit >= 0),
  add column daily_amount_limit bigint check (daily_amount_limit >= 0),
  add column weight int not null default 100 check (weight between 0 and 10000);

-- What the daily limits of terms are held against: orders of the day that wait or were paid.
create table user_product_days (
  owner_kind text not null check (owner_kind in ('merchant', 'supplier')),
  owner_id bigint not null,
  product_id int not null,
  day date not null,
  orders int not null check (orders >= 0),
  amount bigint not null check (amount >= 0),
  primary key (owner_kind, owner_id, product_id, day)
);

-- Whose daily limits a waiting order counts against; null on rows of before.
alter table waiting_orders
  add column merchant_id bigint,
  add column product_id int;
