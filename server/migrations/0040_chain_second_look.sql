-- A credit whose time to be borne out is over is an operator's, and is looked at again when its chain has changed since.
alter table chain_holds add column tried_at timestamptz;
drop index chain_holds_account;
create index chain_holds_waiting on chain_holds (account_id) where tried_at is null;
create index chain_holds_overdue on chain_holds (account_id) where tried_at is not null;
-- Of which account a payout was paid is known only by what a live patch says.
create index chain_patches_orders on chain_patches using gin (order_ids) where state = 'live';
