-- Transfers of our own wallets are used in a family of their own. One that went to an address on which we collect pays an order too.
update utr_uses u set family = 'TRONOUT' from payout_orders o
where u.family = 'TRON' and o.id = u.order_id and o.supplier_id is null;

-- What a supplier says that it sent is neither what we have received nor what our wallets sent.
insert into utr_uses (family, utr, order_id, used_at)
select 'TRONOUT', u.utr, u.order_id, u.used_at from utr_uses u join payout_orders o on o.id = u.order_id
where u.family = 'TRON' on conflict do nothing;
