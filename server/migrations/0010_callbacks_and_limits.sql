-- Callbacks an operator can hold, give up and take up again; how often and from where a merchant may call.

-- 3: taken off the queue by an operator.
alter table callbacks drop constraint callbacks_state_check;
alter table callbacks add constraint callbacks_state_check check (state in (0, 1, 2, 3));
-- Attempts made before it was taken up again: the schedule counts from there.
alter table callbacks add column attempts_before int not null default 0;
-- Just what the claim asks, in its order, so that no plan reads more than it takes (measured: 3 s a claim of 10,000 waiting
-- where statistics were stale, 2 ms with these).
drop index callbacks_due;
drop index callbacks_merchant;
create index callbacks_merchant on callbacks (merchant_id, next_at, id) where state = 0;
drop index callbacks_order;
create index callbacks_order on callbacks (order_id, state, id);
create index callbacks_given_up on callbacks (id) where state = 2;
-- A claim changes nothing that is indexed: with room beside the row its new version needs no index entry.
alter table callbacks set (fillfactor = 70);
alter table callback_attempts add column system_flag text;

alter table merchants add column callbacks_paused boolean not null default false;
-- Seconds before each attempt; null: the usual schedule.
alter table merchants add column callback_waits int[]
  check (cardinality(callback_waits) between 1 and 20 and 0 <= all (callback_waits) and 86400 >= all (callback_waits));

-- Calls of the merchant API a second over all nodes; null: no limit of its own.
alter table merchants add column calls_per_second int check (calls_per_second > 0);
-- Addresses and networks its calls may come from; none: from anywhere.
alter table merchants add column pay_in_ips text[] not null default '{}';
alter table merchants add column payout_ips text[] not null default '{}';
alter table merchants add column console_ips text[] not null default '{}';

-- Nodes that answer calls share the merchants' limits; workers do not.
alter table node_slots add column takes_calls boolean not null default true;
