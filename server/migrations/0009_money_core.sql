-- Holds at allocation, frozen orders, and the last kinds of approval.

-- What the supplier's deposit holds for the order; 0 where the deposit is charged when it is paid. The order knows it, so
-- that it ends rightly whatever the setting says by then.
alter table waiting_orders add column held bigint not null default 0 check (held >= 0);

alter table collection_orders
  add column frozen boolean not null default false,
  add column legal_hold boolean not null default false,
  add constraint collection_legal_hold_freezes check (frozen or not legal_hold);
alter table payout_orders
  add column frozen boolean not null default false,
  add column legal_hold boolean not null default false,
  add constraint payout_legal_hold_freezes check (frozen or not legal_hold);

alter table approvals
  -- Secrets that an approval puts in force: sealed by the vault, shown to nobody.
  add column sealed bytea,
  drop constraint approvals_subject_kind_check,
  add constraint approvals_subject_kind_check check (subject_kind in ('order', 'merchant', 'supplier', 'account'));

alter table accounts
  add column if not exists credentials bytea,
  add column if not exists credentials_at timestamptz;
