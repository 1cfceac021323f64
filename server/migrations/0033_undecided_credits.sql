-- An order whose credit is not decided keeps its amount and its place in the deposit. The sweep that ends graces asks for both each second.
create index chain_holds_order on chain_holds (order_id);
create index collection_orders_frozen on collection_orders (id) where frozen;
