-- How an account fares: of the orders a day gave it, how many were paid. `orders` and `amount` stand for the day's limits and
-- go back when an order times out; these do not.
alter table account_days
  add column allocated int not null default 0 check (allocated >= 0),
  add column paid int not null default 0 check (paid >= 0);

update account_days d set allocated = v.allocated, paid = v.paid
from (
  select account_id, (allocated_at at time zone 'Asia/Kolkata')::date as day, count(*)::int as allocated, count(paid_at)::int as paid
  from collection_orders where allocated_at is not null group by 1, 2
) v
where d.account_id = v.account_id and d.day = v.day;
