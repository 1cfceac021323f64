-- The debits of claims that were given back are looked for every few seconds. Such events are few among many.
create index order_events_given_back on order_events (id) where kind in ('claimCancelled', 'handedBack');
