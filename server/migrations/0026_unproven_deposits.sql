-- What a deposit was credited for payouts that only the supplier's own statement proves. Every allocation reads it beside the balance, so a
-- trigger keeps the sum.
alter table ledger_accounts add column unproven bigint not null default 0 check (unproven >= 0);

update ledger_accounts a set unproven = o.amount
from (select supplier_id, currency, sum(amount) as amount from payout_orders where unproven group by 1, 2) o
where a.owner_kind = 'supplier' and a.owner_id = o.supplier_id and a.currency = o.currency and a.bucket = 'deposit';

create function note_unproven() returns trigger language plpgsql as $$
begin
  update ledger_accounts set unproven = unproven + case when new.unproven then new.amount else -new.amount end
  where owner_kind = 'supplier' and owner_id = new.supplier_id and currency = new.currency and bucket = 'deposit' and slot = 0;
  return null;
end
$$;
create trigger unproven_noted after update of unproven on payout_orders
  for each row when (old.unproven <> new.unproven) execute function note_unproven();
