-- Statistics: sums of orders, kept exactly. Each change of what is counted of an order writes two rows into
-- statistics_changes, in the transaction of the change: what the order counted before, with sign -1, and what it counts now,
-- with sign 1. A worker takes rows away and adds them to the sums in one transaction. Sums of signed rows do not depend on the
-- order of commits, and a row is added up once, whatever is killed when.
-- Triggers write them and not commands: whatever statement changes an order, it is counted.

-- As sum(bigint) without its numeric result, whose making is a fifth of adding up; a sum that overflows fails.
create aggregate sum_bigint(bigint) (sfunc = int8pl, stype = bigint, initcond = '0', combinefunc = int8pl, parallel = safe);

create table statistics_changes (
  sign smallint not null,
  direction text not null,
  merchant_id bigint not null,
  supplier_id bigint,
  account_id bigint,
  product_id int not null,
  currency text not null,
  mark smallint not null,
  status smallint not null,
  supplement_status smallint not null,
  amount bigint not null,
  received bigint,
  fee bigint,
  supplier_commission bigint,
  agent_commission bigint,
  allocated_at timestamptz,
  created_at timestamptz not null,
  ended_at timestamptz,
  reversed_at timestamptz,
  told_at timestamptz,
  told_attempt int
)
-- A queue: its rows live for a second.
with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);

-- One row.
create table statistics_state (
  id smallint primary key default 1 check (id = 1),
  -- What was committed before it is in the sums.
  as_of timestamptz not null,
  -- Half hours of earlier days were dropped: their days are kept.
  half_hours_from date not null
);
insert into statistics_state (as_of, half_hours_from) values ('-infinity', '-infinity');

-- A sum's grain says what it is kept by: 0 all orders, 1 merchant and product, 2 supplier, account and product, 3 all four. What it
-- is not kept by is 0, and so is the supplier of an order that has none. Columns that end in _by_completion are filed under
-- the day and half hour of the payment, all others under those of the order's creation.

create table statistics_days (
  direction text not null check (direction in ('in', 'out')),
  grain smallint not null,
  day date not null,
  merchant_id bigint not null,
  supplier_id bigint not null,
  account_id bigint not null,
  product_id int not null,
  currency text not null,
  mark smallint not null,
  created bigint not null default 0, created_amount bigint not null default 0, allocated bigint not null default 0,
  allocated_amount bigint not null default 0, allocation_failed bigint not null default 0,
  allocation_failed_amount bigint not null default 0, timed_out bigint not null default 0,
  timed_out_amount bigint not null default 0, cancelled bigint not null default 0, cancelled_amount bigint not null default 0,
  rejected bigint not null default 0, rejected_amount bigint not null default 0, to_be_confirmed bigint not null default 0,
  to_be_confirmed_amount bigint not null default 0, processing_error bigint not null default 0,
  processing_error_amount bigint not null default 0, paid bigint not null default 0, paid_amount bigint not null default 0,
  supplemented bigint not null default 0, supplemented_amount bigint not null default 0, reversed bigint not null default 0,
  reversed_amount bigint not null default 0, fee bigint not null default 0, commission bigint not null default 0,
  agent_commission bigint not null default 0, told_first bigint not null default 0, told_later bigint not null default 0,
  paid_by_completion bigint not null default 0, paid_amount_by_completion bigint not null default 0,
  supplemented_by_completion bigint not null default 0, supplemented_amount_by_completion bigint not null default 0,
  reversed_by_completion bigint not null default 0, reversed_amount_by_completion bigint not null default 0,
  fee_by_completion bigint not null default 0, commission_by_completion bigint not null default 0,
  agent_commission_by_completion bigint not null default 0, told_first_by_completion bigint not null default 0,
  told_later_by_completion bigint not null default 0,
  primary key (direction, grain, day, merchant_id, supplier_id, account_id, product_id, currency, mark)
) with (fillfactor = 70);
create index statistics_days_merchant on statistics_days (merchant_id, direction, day) where grain = 3;
create index statistics_days_supplier on statistics_days (supplier_id, direction, day) where grain = 3;

-- Grains 0 to 2.
create table statistics_half_hours (
  direction text not null check (direction in ('in', 'out')),
  grain smallint not null,
  day date not null,
  half_hour smallint not null check (half_hour between 0 and 47),
  merchant_id bigint not null,
  supplier_id bigint not null,
  account_id bigint not null,
  product_id int not null,
  currency text not null,
  mark smallint not null,
  created bigint not null default 0, created_amount bigint not null default 0, allocated bigint not null default 0,
  allocated_amount bigint not null default 0, allocation_failed bigint not null default 0,
  allocation_failed_amount bigint not null default 0, timed_out bigint not null default 0,
  timed_out_amount bigint not null default 0, cancelled bigint not null default 0, cancelled_amount bigint not null default 0,
  rejected bigint not null default 0, rejected_amount bigint not null default 0, to_be_confirmed bigint not null default 0,
  to_be_confirmed_amount bigint not null default 0, processing_error bigint not null default 0,
  processing_error_amount bigint not null default 0, paid bigint not null default 0, paid_amount bigint not null default 0,
  supplemented bigint not null default 0, supplemented_amount bigint not null default 0, reversed bigint not null default 0,
  reversed_amount bigint not null default 0, fee bigint not null default 0, commission bigint not null default 0,
  agent_commission bigint not null default 0, told_first bigint not null default 0, told_later bigint not null default 0,
  paid_by_completion bigint not null default 0, paid_amount_by_completion bigint not null default 0,
  supplemented_by_completion bigint not null default 0, supplemented_amount_by_completion bigint not null default 0,
  reversed_by_completion bigint not null default 0, reversed_amount_by_completion bigint not null default 0,
  fee_by_completion bigint not null default 0, commission_by_completion bigint not null default 0,
  agent_commission_by_completion bigint not null default 0, told_first_by_completion bigint not null default 0,
  told_later_by_completion bigint not null default 0,
  primary key (direction, grain, day, half_hour, merchant_id, supplier_id, account_id, product_id, currency, mark)
) with (fillfactor = 70);

-- Durations in fixed logarithmic buckets (server/src/statistics/times.ts), grains 0 to 2.
create table statistics_day_times (
  direction text not null check (direction in ('in', 'out')),
  grain smallint not null,
  day date not null,
  merchant_id bigint not null,
  supplier_id bigint not null,
  account_id bigint not null,
  product_id int not null,
  currency text not null,
  mark smallint not null,
  -- 'pay': from creation to payment; 'tell': from payment to the merchant's acknowledgement.
  kind text not null check (kind in ('pay', 'tell')),
  bucket smallint not null,
  orders bigint not null default 0,
  orders_by_completion bigint not null default 0,
  primary key (direction, grain, day, merchant_id, supplier_id, account_id, product_id, currency, mark, kind, bucket)
) with (fillfactor = 70);
create table statistics_half_hour_times (
  direction text not null check (direction in ('in', 'out')),
  grain smallint not null,
  day date not null,
  half_hour smallint not null check (half_hour between 0 and 47),
  merchant_id bigint not null,
  supplier_id bigint not null,
  account_id bigint not null,
  product_id int not null,
  currency text not null,
  mark smallint not null,
  -- 'pay': from creation to payment; 'tell': from payment to the merchant's acknowledgement.
  kind text not null check (kind in ('pay', 'tell')),
  bucket smallint not null,
  orders bigint not null default 0,
  orders_by_completion bigint not null default 0,
  primary key (direction, grain, day, half_hour, merchant_id, supplier_id, account_id, product_id, currency, mark, kind, bucket)
) with (fillfactor = 70);

create function note_collection_created() returns trigger language plpgsql as $$
begin
  insert into statistics_changes
  select 1, 'in',
    n.merchant_id, n.supplier_id, n.account_id, n.product_id, n.currency, n.mark, n.status, n.supplement_status, n.amount,
    n.received, n.fee, n.supplier_commission, n.agent_commission, n.allocated_at, n.created_at, n.paid_at, n.reversed_at,
    n.told_at, n.told_attempt
  from new_rows n;
  return null;
end
$$;

create function note_collection_changed() returns trigger language plpgsql as $$
begin
  insert into statistics_changes
  select c.sign, 'in',
    c.merchant_id, c.supplier_id, c.account_id, c.product_id, c.currency, c.mark, c.status, c.supplement_status, c.amount,
    c.received, c.fee, c.supplier_commission, c.agent_commission, c.allocated_at, c.created_at, c.paid_at, c.reversed_at,
    c.told_at, c.told_attempt
  from old_rows o
  join new_rows n on n.id = o.id
  cross join lateral (select -1 as sign, o.* union all select 1, n.*) c
  where (o.supplier_id, o.account_id, o.mark, o.status, o.supplement_status, o.amount, o.received, o.fee, o.supplier_commission,
    o.agent_commission, o.allocated_at, o.paid_at, o.reversed_at, o.told_at, o.merchant_id, o.product_id, o.currency,
    o.created_at)
    is distinct from (n.supplier_id, n.account_id, n.mark, n.status, n.supplement_status, n.amount, n.received, n.fee, n.supplier_commission,
    n.agent_commission, n.allocated_at, n.paid_at, n.reversed_at, n.told_at, n.merchant_id, n.product_id, n.currency,
    n.created_at);
  return null;
end
$$;

create trigger statistics_created after insert on collection_orders
  referencing new table as new_rows for each statement execute function note_collection_created();
create trigger statistics_changed after update on collection_orders
  referencing old table as old_rows new table as new_rows for each statement execute function note_collection_changed();

create function note_payout_created() returns trigger language plpgsql as $$
begin
  insert into statistics_changes
  select 1, 'out',
    n.merchant_id, n.supplier_id, n.account_id, n.product_id, n.currency, n.mark, n.status, 0, n.amount, null::bigint, n.fee,
    n.supplier_commission, n.agent_commission, null::timestamptz, n.created_at, n.finished_at, n.reversed_at, n.told_at,
    n.told_attempt
  from new_rows n;
  return null;
end
$$;

create function note_payout_changed() returns trigger language plpgsql as $$
begin
  insert into statistics_changes
  select c.sign, 'out',
    c.merchant_id, c.supplier_id, c.account_id, c.product_id, c.currency, c.mark, c.status, 0, c.amount, null::bigint, c.fee,
    c.supplier_commission, c.agent_commission, null::timestamptz, c.created_at, c.finished_at, c.reversed_at, c.told_at,
    c.told_attempt
  from old_rows o
  join new_rows n on n.id = o.id
  cross join lateral (select -1 as sign, o.* union all select 1, n.*) c
  where (o.supplier_id, o.account_id, o.mark, o.status, o.amount, o.fee, o.supplier_commission, o.agent_commission, o.finished_at,
    o.reversed_at, o.told_at, o.merchant_id, o.product_id, o.currency, o.created_at)
    is distinct from (n.supplier_id, n.account_id, n.mark, n.status, n.amount, n.fee, n.supplier_commission, n.agent_commission, n.finished_at,
    n.reversed_at, n.told_at, n.merchant_id, n.product_id, n.currency, n.created_at);
  return null;
end
$$;

create trigger statistics_created after insert on payout_orders
  referencing new table as new_rows for each statement execute function note_payout_created();
create trigger statistics_changed after update on payout_orders
  referencing old table as old_rows new table as new_rows for each statement execute function note_payout_changed();
