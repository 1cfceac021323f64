-- Statistics: sums of orders, kept exactly. Each change of what is counted of an order writes two rows into
-- statistics_changes, in the transaction of the change: what the order counted before, with sign -1, and what it counts now,
-- with sign 1; or one row where the merchant's acknowledgement alone has come. A worker takes rows away and adds them to the sums in one transaction. Sums of signed rows do not depend on the
-- order of commits, and a row is added up once, whatever is killed when.
-- Triggers write them and not commands: whatever statement changes an order, it is counted.

-- As sum(bigint) without its numeric result, whose making is a fifth of adding up; a sum that overflows fails.
create aggregate sum_bigint(bigint) (sfunc = int8pl, stype = bigint, initcond = '0', combinefunc = int8pl, parallel = safe);
-- As sum(numeric), which keeps room for every digit in each group: made anew, most groups have one order.
create aggregate sum_numeric(numeric) (sfunc = numeric_add, stype = numeric, combinefunc = numeric_add, parallel = safe);

create table statistics_changes (
  id bigint not null,
  -- Of all that is counted, but for the acknowledgement.
  sign smallint not null,
  told_sign smallint not null,
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
  -- Half hours of earlier days were dropped but for those of all orders: their days are kept.
  half_hours_from date not null,
  -- Earlier days are in statistics_spans.
  spans_until date not null,
  -- The sums of grain 7 have the orders of smaller ids. They are counted from later orders when somebody asks.
  settled_until bigint not null
);
insert into statistics_state (as_of, half_hours_from, spans_until, settled_until) values ('-infinity', '-infinity', '-infinity', 0);

-- A sum's grain says what it is kept by: 1 merchant, 2 supplier and account, 4 product, or the total of several; 0 is all orders. What it
-- is not kept by is 0, and so is the supplier of an order that has none. Columns that end in _by_completion are filed under
-- the day and half hour of the payment, all others under those of the order's creation.
-- A sum of nothing is null, or 0 where it came back to nothing: most sums are null, and a row with all of them as numbers would be three times as long.
-- `pay` and `tell` are how long orders took from creation to payment, and from payment to the merchant's acknowledgement: the number of
-- orders in each bucket (contract, statistics.ts) as one number with a digit of 10^12 for each, so that sum() adds all buckets at once.

-- Grains 0, 5, 6, and 7 of orders that are some minutes old (statistics_state.settled_until): nearly each of them has a row of its own there.
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
  created bigint, created_amount bigint, allocated bigint,
  allocated_amount bigint, allocation_failed bigint,
  allocation_failed_amount bigint, timed_out bigint,
  timed_out_amount bigint, cancelled bigint, cancelled_amount bigint,
  rejected bigint, rejected_amount bigint, to_be_confirmed bigint,
  to_be_confirmed_amount bigint, processing_error bigint,
  processing_error_amount bigint, paid bigint, paid_amount bigint,
  supplemented bigint, supplemented_amount bigint, reversed bigint,
  reversed_amount bigint, fee bigint, commission bigint,
  agent_commission bigint, told_first bigint, told_later bigint,
  paid_by_completion bigint, paid_amount_by_completion bigint,
  supplemented_by_completion bigint, supplemented_amount_by_completion bigint,
  reversed_by_completion bigint, reversed_amount_by_completion bigint,
  fee_by_completion bigint, commission_by_completion bigint,
  agent_commission_by_completion bigint, told_first_by_completion bigint,
  told_later_by_completion bigint,
  pay numeric, pay_by_completion numeric, tell numeric,
  tell_by_completion numeric,
  primary key (direction, grain, day, merchant_id, supplier_id, account_id, product_id, currency, mark)
) with (fillfactor = 70);
create index statistics_days_merchant on statistics_days (merchant_id, direction, day) where grain = 7;
create index statistics_days_supplier on statistics_days (supplier_id, direction, day) where grain = 7;

-- Grains 0, 5, 6.
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
  created bigint, created_amount bigint, allocated bigint,
  allocated_amount bigint, allocation_failed bigint,
  allocation_failed_amount bigint, timed_out bigint,
  timed_out_amount bigint, cancelled bigint, cancelled_amount bigint,
  rejected bigint, rejected_amount bigint, to_be_confirmed bigint,
  to_be_confirmed_amount bigint, processing_error bigint,
  processing_error_amount bigint, paid bigint, paid_amount bigint,
  supplemented bigint, supplemented_amount bigint, reversed bigint,
  reversed_amount bigint, fee bigint, commission bigint,
  agent_commission bigint, told_first bigint, told_later bigint,
  paid_by_completion bigint, paid_amount_by_completion bigint,
  supplemented_by_completion bigint, supplemented_amount_by_completion bigint,
  reversed_by_completion bigint, reversed_amount_by_completion bigint,
  fee_by_completion bigint, commission_by_completion bigint,
  agent_commission_by_completion bigint, told_first_by_completion bigint,
  told_later_by_completion bigint,
  pay numeric, pay_by_completion numeric, tell numeric,
  tell_by_completion numeric,
  primary key (direction, grain, day, half_hour, merchant_id, supplier_id, account_id, product_id, currency, mark)
) with (fillfactor = 70);

-- Days that are over, summed up in spans of 1, 4 and 16 days, so that a question about months reads few rows. A span begins at `day`, whose
-- number since 1970-01-01 its length divides. A change of such a day is added here as well. Orders marked 'test' are left out.
-- Grains 1, 2, 4, and 8: the supplier without its accounts.
create table statistics_spans (
  direction text not null check (direction in ('in', 'out')),
  grain smallint not null,
  span smallint not null check (span in (1, 4, 16)),
  day date not null,
  merchant_id bigint not null,
  supplier_id bigint not null,
  account_id bigint not null,
  product_id int not null,
  currency text not null,
  created bigint, created_amount bigint, allocated bigint,
  allocated_amount bigint, allocation_failed bigint,
  allocation_failed_amount bigint, timed_out bigint,
  timed_out_amount bigint, cancelled bigint, cancelled_amount bigint,
  rejected bigint, rejected_amount bigint, to_be_confirmed bigint,
  to_be_confirmed_amount bigint, processing_error bigint,
  processing_error_amount bigint, paid bigint, paid_amount bigint,
  supplemented bigint, supplemented_amount bigint, reversed bigint,
  reversed_amount bigint, fee bigint, commission bigint,
  agent_commission bigint, told_first bigint, told_later bigint,
  paid_by_completion bigint, paid_amount_by_completion bigint,
  supplemented_by_completion bigint, supplemented_amount_by_completion bigint,
  reversed_by_completion bigint, reversed_amount_by_completion bigint,
  fee_by_completion bigint, commission_by_completion bigint,
  agent_commission_by_completion bigint, told_first_by_completion bigint,
  told_later_by_completion bigint,
  pay numeric, pay_by_completion numeric, tell numeric,
  tell_by_completion numeric,
  primary key (direction, grain, span, day, merchant_id, supplier_id, account_id, product_id, currency)
) with (fillfactor = 70);

create function note_collection_created() returns trigger language plpgsql as $$
begin
  insert into statistics_changes
  select n.id, 1, 1, 'in',
    n.merchant_id, n.supplier_id, n.account_id, n.product_id, n.currency, n.mark, n.status, n.supplement_status, n.amount,
    n.received, n.fee, n.supplier_commission, n.agent_commission, n.allocated_at, n.created_at, n.paid_at, n.reversed_at,
    n.told_at, n.told_attempt
  from new_rows n;
  return null;
end
$$;

-- Of a collection's statuses only 'timed out' and 'allocation failed' are counted (server/src/statistics/counted.ts).
create function note_collection_changed() returns trigger language plpgsql as $$
begin
  insert into statistics_changes
  select c.id, c.sign, c.told_sign, 'in',
    c.merchant_id, c.supplier_id, c.account_id, c.product_id, c.currency, c.mark, c.status, c.supplement_status, c.amount,
    c.received, c.fee, c.supplier_commission, c.agent_commission, c.allocated_at, c.created_at, c.paid_at, c.reversed_at,
    c.told_at, c.told_attempt
  from old_rows o
  join new_rows n on n.id = o.id
  -- Nothing but the acknowledgement: most changes are one.
  cross join lateral (select (o.status * (o.status in (2, 5))::int, o.supplier_id, o.account_id, o.mark, o.supplement_status, o.amount, o.received,
    o.fee, o.supplier_commission, o.agent_commission, o.allocated_at, o.paid_at, o.reversed_at, o.merchant_id,
    o.product_id, o.currency, o.created_at) is not distinct from (n.status * (n.status in (2, 5))::int, n.supplier_id,
    n.account_id, n.mark, n.supplement_status, n.amount, n.received, n.fee, n.supplier_commission, n.agent_commission,
    n.allocated_at, n.paid_at, n.reversed_at, n.merchant_id, n.product_id, n.currency, n.created_at)
    as is_told) e
  cross join lateral (
    select -1 as sign, -1 as told_sign, o.* where not e.is_told or o.told_at is not null
    union all select case when e.is_told and o.told_at is null then 0 else 1 end, 1, n.*
  ) c
  where not e.is_told or (o.told_at, o.told_attempt) is distinct from (n.told_at, n.told_attempt);
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
  select n.id, 1, 1, 'out',
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
  select c.id, c.sign, c.told_sign, 'out',
    c.merchant_id, c.supplier_id, c.account_id, c.product_id, c.currency, c.mark, c.status, 0, c.amount, null::bigint, c.fee,
    c.supplier_commission, c.agent_commission, null::timestamptz, c.created_at, c.finished_at, c.reversed_at, c.told_at,
    c.told_attempt
  from old_rows o
  join new_rows n on n.id = o.id
  -- Nothing but the acknowledgement: most changes are one.
  cross join lateral (select (o.supplier_id, o.account_id, o.mark, o.status, o.amount, o.fee, o.supplier_commission, o.agent_commission,
    o.finished_at, o.reversed_at, o.merchant_id, o.product_id, o.currency, o.created_at) is not distinct from
    (n.supplier_id, n.account_id, n.mark, n.status, n.amount, n.fee, n.supplier_commission, n.agent_commission,
    n.finished_at, n.reversed_at, n.merchant_id, n.product_id, n.currency, n.created_at)
    as is_told) e
  cross join lateral (
    select -1 as sign, -1 as told_sign, o.* where not e.is_told or o.told_at is not null
    union all select case when e.is_told and o.told_at is null then 0 else 1 end, 1, n.*
  ) c
  where not e.is_told or (o.told_at, o.told_attempt) is distinct from (n.told_at, n.told_attempt);
  return null;
end
$$;

create trigger statistics_created after insert on payout_orders
  referencing new table as new_rows for each statement execute function note_payout_created();
create trigger statistics_changed after update on payout_orders
  referencing old table as old_rows new table as new_rows for each statement execute function note_payout_changed();
