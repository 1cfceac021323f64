-- Parties and their terms: merchants, suppliers, agents, products, KYC.
-- Frozen: takes part in nothing new. A legal hold is a freeze by order of the law: unfreezing does not lift it, and nothing
-- of its subject may be cleared.

create table merchants (
  id bigint primary key generated always as identity (start with 10001),
  user_id bigint not null unique references users (id),
  name text not null check (length(name) between 1 and 128),
  enabled boolean not null default true,
  frozen boolean not null default false,
  legal_hold boolean not null default false,
  sign_type text not null default 'hmac-sha256-v2' check (sign_type in ('md5', 'hmac-sha256', 'hmac-sha256-v2')),
  -- An MD5 call can be sent again by whoever reads it: it cancels orders only where the merchant has opted in.
  cancel_by_md5 boolean not null default false,
  secret bytea not null,
  -- When its own user was shown a secret; null: never yet.
  secret_shown_at timestamptz,
  -- A rotated secret still opens the API until its end, so that a merchant can change over without a gap.
  previous_secret bytea,
  previous_valid_until timestamptz,
  -- Null: the setting CallbackType.
  callback_transport text check (callback_transport in ('json', 'form', 'query')),
  callbacks_paused boolean not null default false,
  -- Seconds before each attempt; null: the usual schedule.
  callback_waits int[]
    check (cardinality(callback_waits) between 1 and 20 and 0 <= all (callback_waits) and 86400 >= all (callback_waits)),
  -- Calls of the merchant API a second over all nodes; null: no limit of its own.
  calls_per_second int check (calls_per_second > 0),
  -- Addresses and networks its calls may come from; none: from anywhere.
  pay_in_ips text[] not null default '{}',
  payout_ips text[] not null default '{}',
  console_ips text[] not null default '{}',
  -- Business days from a credit to its settlement; 0: available at once.
  settlement_days smallint not null default 0 check (settlement_days between 0 and 30),
  created_at timestamptz not null,
  constraint previous_secret_ends check ((previous_secret is null) = (previous_valid_until is null)),
  constraint merchant_hold_freezes check (frozen or not legal_hold)
);

create table merchant_nonces (
  merchant_id bigint not null references merchants (id),
  nonce text not null,
  expires_at timestamptz not null,
  primary key (merchant_id, nonce)
);
create index merchant_nonces_expiry on merchant_nonces (expires_at);

create table suppliers (
  id bigint primary key generated always as identity (start with 20001),
  user_id bigint not null unique references users (id),
  -- The agent who brought this supplier and earns on its turnover.
  agent_id bigint references suppliers (id) check (agent_id <> id),
  -- The merchant it was made together with (AutoCreateRelateSupplier, AutoCreateRelateMerchant).
  related_merchant_id bigint unique references merchants (id),
  name text not null check (length(name) between 1 and 128),
  enabled boolean not null default true,
  frozen boolean not null default false,
  legal_hold boolean not null default false,
  -- It claims so many payouts at once: the others are for those who have time to pay them.
  open_claims_max int not null default 20 check (open_claims_max > 0),
  created_at timestamptz not null,
  constraint supplier_hold_freezes check (frozen or not legal_hold)
);
create index suppliers_agent on suppliers (agent_id);

-- Further users of a merchant or supplier, beside the one it was made with. What each may do: contract/party-roles.ts.
create table party_members (
  user_id bigint primary key,
  role text not null check (role in ('merchant', 'supplier')),
  merchant_id bigint references merchants (id),
  supplier_id bigint references suppliers (id),
  party_role text not null check (party_role in ('owner', 'finance', 'support', 'developer', 'readOnly')),
  created_at timestamptz not null,
  constraint member_of_one check (num_nonnulls(merchant_id, supplier_id) = 1),
  constraint member_role_fits check ((role = 'merchant') = (merchant_id is not null)),
  -- A member stays what its party is: its role in the house cannot be changed.
  constraint member_is_user foreign key (user_id, role) references users (id, role)
);
create index party_members_merchant on party_members (merchant_id) where merchant_id is not null;
create index party_members_supplier on party_members (supplier_id) where supplier_id is not null;

-- Terms

create table products (
  id int primary key,
  name text not null,
  direction text not null check (direction in ('in', 'out')),
  currency text not null check (currency in ('INR', 'KES', 'USDT')),
  channel text not null check (channel in ('upi', 'bank', 'card', 'wallet', 'usdt', 'mpesa', 'gateway')),
  float_steps int not null check (float_steps between 0 and 100000),
  float_step_minor bigint not null check (float_step_minor >= 0),
  enabled boolean not null default true,
  -- Where payers are sent while IsNewPayUrl is off: an address with {token} or {orderCode} in it. Null: our own page.
  pay_url_template text check (length(pay_url_template) between 1 and 512)
);

-- Terms of a merchant, a supplier or an agent for a product that are in force. For an agent they are its commission on the
-- turnover of the suppliers it brought (owner_kind 'agent', owner_id its supplier id). Amounts in minor units.
create table user_products (
  owner_kind text not null check (owner_kind in ('merchant', 'supplier', 'agent')),
  owner_id bigint not null,
  product_id int not null references products (id),
  enabled boolean not null default true,
  rate_ppm int not null check (rate_ppm between 0 and 1000000),
  fixed_fee bigint not null default 0 check (fixed_fee >= 0),
  min_amount bigint not null check (min_amount > 0),
  max_amount bigint not null check (max_amount >= min_amount),
  -- Limits per business day.
  daily_count_limit int check (daily_count_limit >= 0),
  daily_amount_limit bigint check (daily_amount_limit >= 0),
  -- Of a supplier: its weight among suppliers.
  weight int not null default 100 check (weight between 0 and 10000),
  primary key (owner_kind, owner_id, product_id)
);

-- Every set of terms an owner has had or will have; a loop moves those whose time has come to user_products. Commissions are
-- read here as of an order's creation: new terms never change an existing order.
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
  daily_count_limit int check (daily_count_limit >= 0),
  daily_amount_limit bigint check (daily_amount_limit >= 0),
  weight int not null default 100 check (weight between 0 and 10000),
  effective_at timestamptz not null,
  -- Null while it waits for its time.
  applied_at timestamptz,
  set_by bigint references users (id),
  created_at timestamptz not null
);
create index user_product_terms_owner on user_product_terms (owner_kind, owner_id, product_id, effective_at desc, id desc);
create index user_product_terms_due on user_product_terms (effective_at) where applied_at is null;

-- Use of the daily limits of terms: orders of the day that wait or were paid.
create table user_product_days (
  owner_kind text not null check (owner_kind in ('merchant', 'supplier')),
  owner_id bigint not null,
  product_id int not null,
  day date not null,
  orders int not null check (orders >= 0),
  amount bigint not null check (amount >= 0),
  primary key (owner_kind, owner_id, product_id, day)
);

create table kyc_records (
  id bigint primary key,
  subject_kind text not null check (subject_kind in ('merchant', 'supplier', 'account')),
  subject_id bigint not null,
  -- Order of submission, given under the subject's lock: ids of two nodes do not tell that order.
  place int not null default 0,
  verdict text not null check (verdict in ('pending', 'approved', 'rejected')),
  document_reference text not null,
  note text,
  submitted_by bigint not null references users (id),
  submitted_at timestamptz not null,
  reviewed_by bigint references users (id),
  reviewed_at timestamptz,
  expires_at timestamptz,
  check (reviewed_by <> submitted_by),
  check ((verdict = 'pending') = (reviewed_by is null))
);
create index kyc_subject on kyc_records (subject_kind, subject_id, place desc, id desc);
create index kyc_pending on kyc_records (id) where verdict = 'pending';
