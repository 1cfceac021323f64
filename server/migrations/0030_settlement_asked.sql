-- What an early settlement may move: each balance as it was when somebody asked. What comes later waits for its day.
create table settlement_asked (
  approval_id bigint not null references approvals (id),
  ledger_account_id bigint not null references ledger_accounts (id),
  amount bigint not null check (amount > 0),
  primary key (approval_id, ledger_account_id)
);
-- The request for an early settlement; null: the daily run, and a run of what was due.
alter table settlement_runs add column approval_id bigint unique references approvals (id);
