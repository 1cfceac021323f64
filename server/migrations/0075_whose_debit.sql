-- The bank's own number of a row's transfer, as its files named it: the debit of that number is this payout's and no other's,
-- also when the payout has failed since and been given to somebody else.
alter table payout_batch_orders add column bank_reference text;
update payout_batch_orders set bank_reference = proposed_utr where proposed_utr is not null;
create index payout_batch_orders_bank_reference on payout_batch_orders (bank_reference) where bank_reference is not null;
-- Rows of an amount that their bank may have debited although nobody was paid.
create index payout_batch_orders_amount on payout_batch_orders (amount, order_id) where in_file and state <> 'completed';

-- A result file that a supplier confirms is the supplier's word, whether it names a UTR or not.
alter table payout_orders drop constraint payout_unproven_is_paid;
alter table payout_orders add constraint payout_unproven_is_paid check (not unproven or status = 3);
