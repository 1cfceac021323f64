-- An account's orders are counted among its supplier's without a look at each order.
drop index collection_orders_supplier;
create index collection_orders_supplier on collection_orders (supplier_id, id desc) include (account_id);
