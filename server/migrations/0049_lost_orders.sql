-- Lost orders: money that found no order beside orders that found no money. Each index holds only rows that are looked for: a
-- credit that matches at once and an order that is paid in time never enter one.
create index messages_lost on messages (id desc)
  where direction = 'credit' and state in ('unmatched', 'ambiguous', 'held', 'untrusted');
create index collection_orders_claimed on collection_orders (id desc)
  where status in (1, 2) and (payer_utr is not null or mark = 3);
create index collection_orders_timed_out on collection_orders (account_id, id desc) where status = 2;
