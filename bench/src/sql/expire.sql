-- What timing out does, for every due order at once.
begin;
create temporary table due on commit drop as
  select order_id, account_id, payable, day from waiting_orders where not timed_out and expires_at <= now() order by order_id for update;
update waiting_orders w set timed_out = true from due where w.order_id = due.order_id;
update collection_orders o set status = 2 from due where o.id = due.order_id and o.status = 1;
update account_load l set waiting_count = l.waiting_count - v.n, waiting_amount = l.waiting_amount - v.amount
  from (select account_id, count(*) as n, sum(payable) as amount from due group by account_id) v where v.account_id = l.account_id;
update account_days d set orders = d.orders - v.n, amount = d.amount - v.amount
  from (select account_id, day, count(*) as n, sum(payable) as amount from due group by account_id, day) v
  where v.account_id = d.account_id and v.day = d.day;
insert into order_events (id, order_id, kind, from_status, to_status, actor_kind, created_at)
  select order_id + 1, order_id, 'timedOut', 1, 2, 'system', now() from due;
commit;
