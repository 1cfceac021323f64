-- Where payers of a product are sent while IsNewPayUrl is off: an address with {token} or {orderCode} in it. Null: our own page.
alter table products add column pay_url_template text check (length(pay_url_template) between 1 and 512);
-- Lists by time of completion (CompleteTimeFilter): completion follows creation closely, so a range of blocks is enough.
create index collection_orders_paid_at on collection_orders using brin (paid_at) with (autosummarize = on);
create index payout_orders_finished_at on payout_orders using brin (finished_at) with (autosummarize = on);
