-- A merchant's own bank accounts and UPI addresses, to which it withdraws by payouts of its own.

-- A row is what a second person agreed to, and stays as it was agreed to (the application may only remove it): what waits is a
-- request in `approvals`, and a change is a new row in the place of the old one.
create table beneficiaries (
  id bigint primary key,
  merchant_id bigint not null references merchants (id),
  approval_id bigint not null unique references approvals (id),
  -- As the bank has it.
  name text not null check (length(name) between 1 and 128),
  bank text,
  account text,
  ifsc text,
  vpa text,
  approved_at timestamptz not null,
  removed_at timestamptz check (removed_at >= approved_at),
  unique (merchant_id, id),
  constraint beneficiary_is_paid_one_way check (
    (vpa is null and num_nonnulls(bank, account, ifsc) = 3) or (vpa is not null and num_nonnulls(bank, account, ifsc) = 0)
  )
);
create unique index beneficiaries_once on beneficiaries (merchant_id, coalesce(vpa, ifsc || ' ' || account)) where removed_at is null;

create function beneficiary_is_approved() returns trigger language plpgsql as $$
begin
  if not exists (select from approvals a where a.id = new.approval_id and a.kind = 'beneficiary' and a.status = 'approved'
      and a.subject_kind = 'merchant' and a.subject_id = new.merchant_id) then
    raise exception 'nobody agreed to the beneficiary %', new.id
      using errcode = 'integrity_constraint_violation', constraint = 'beneficiary_is_approved';
  end if;
  return null;
end
$$;
-- At the end: the decision is written after what it does.
create constraint trigger beneficiary_is_approved after insert on beneficiaries deferrable initially deferred
  for each row execute function beneficiary_is_approved();

-- Which payouts are withdrawals, to whom and by whose hand.
create table withdrawals (
  order_id bigint primary key,
  merchant_id bigint not null,
  beneficiary_id bigint not null,
  asked_by bigint not null references users (id),
  created_at timestamptz not null,
  foreign key (merchant_id, beneficiary_id) references beneficiaries (merchant_id, id)
);
create index withdrawals_merchant on withdrawals (merchant_id, order_id desc);

create function withdrawal_pays_its_beneficiary() returns trigger language plpgsql as $$
begin
  if not exists (select from payout_orders o join beneficiaries b on b.id = new.beneficiary_id and b.removed_at is null
      where o.id = new.order_id and o.merchant_id = new.merchant_id and o.payee_name = b.name
        and (o.payee_account, o.payee_ifsc, o.payee_vpa) is not distinct from (b.account, b.ifsc, b.vpa)) then
    raise exception 'payout % does not pay the beneficiary %', new.order_id, new.beneficiary_id
      using errcode = 'integrity_constraint_violation', constraint = 'withdrawal_pays_its_beneficiary';
  end if;
  return new;
end
$$;
create trigger withdrawal_pays_its_beneficiary before insert on withdrawals
  for each row execute function withdrawal_pays_its_beneficiary();
