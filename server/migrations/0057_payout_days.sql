-- The business day on which a supplier took a payout upon itself: the day whose limits of its terms the payout counts
-- towards. Null: nobody's, or taken before there was a count.
alter table payout_orders add column taken_on date;
create index payout_orders_taken on payout_orders (supplier_id, product_id, taken_on) where taken_on is not null;
-- The same day for the limits of the account that pays, where one is known: a batch's, a gateway's.
create index payout_orders_paid_from on payout_orders (account_id, taken_on) where account_id is not null and taken_on is not null;
