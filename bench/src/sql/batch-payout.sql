-- What one file of payouts does, set-based and in one call: look-ups of numbers and terms, the key and numbers claimed, two
-- entries a payout with running balances against the merchant's available and frozen accounts, postings, orders, histories.
create function bench_batch_payout(merchant bigint, n int) returns void language plpgsql as $$
declare
  first bigint := nextval('bench_id');
  available ledger_accounts;
  frozen ledger_accounts;
  total bigint;
begin
  perform setval('bench_id', first + 10 * n);
  perform 1 from merchants where id = merchant and enabled;
  perform 1 from payout_uploads where merchant_id = merchant and key = 'B' || first;
  insert into payout_uploads (id, merchant_id, key, content_hash, order_count, total, created_at)
  values (first, merchant, 'B' || first, '\x00', n, n, now());
  create temp table if not exists rows (i int, id bigint, amount bigint, fee bigint);
  truncate rows;
  insert into rows select i, first + i, 10000 + i, (10000 + i) * u.rate_ppm / 1000000 + u.fixed_fee
  from generate_series(1, n) i join user_products u on u.owner_kind = 'merchant' and u.owner_id = merchant and u.product_id = 2001;
  perform 1 from merchant_orders m join rows r on m.merchant_id = merchant and m.mch_order_no = 'B' || r.id;
  insert into merchant_orders (merchant_id, mch_order_no, order_id, direction, content_hash)
  select merchant, 'B' || id, id, 'out', '\x00' from rows order by id;
  perform 1 from postings p join rows r on p.key = 'payout/' || r.id || '/payoutCreated';
  select * into available from ledger_accounts where owner_kind = 'merchant' and owner_id = merchant and bucket = 'available' for update;
  select * into frozen from ledger_accounts where owner_kind = 'merchant' and owner_id = merchant and bucket = 'frozen' for update;
  insert into postings (id, key, kind, order_id, currency, entry_count, entry_sum, created_at)
  select first + n + i, 'payout/' || id || '/payoutCreated', 'payoutCreated', id, 'INR', 2, 0, now() from rows;
  insert into ledger_entries (id, posting_id, account_id, amount, balance_after, created_at)
  select first + 2 * n + i, first + n + i, available.id, -(amount + fee),
    available.balance - sum(amount + fee) over (order by i), now() from rows
  union all
  select first + 3 * n + i, first + n + i, frozen.id, amount + fee,
    frozen.balance + sum(amount + fee) over (order by i), now() from rows;
  select sum(amount + fee) into total from rows;
  update ledger_accounts set balance = balance - total where id = available.id;
  update ledger_accounts set balance = balance + total where id = frozen.id;
  insert into payout_orders (id, merchant_id, mch_order_no, product_id, currency, amount, fee, status, payee_name, payee_account,
    payee_ifsc, payee_bank, upload_id, created_at)
  select id, merchant, 'B' || id, 2001, 'INR', amount, fee, 0, 'Asha Rao', '50100' || (100000 + i), 'HDFC0000521', 'HDFC Bank',
    first, now() from rows;
  insert into order_events (id, order_id, kind, to_status, actor_kind, actor_id, ip, created_at)
  select first + 4 * n + i, id, 'created', 0, 'merchant', merchant, '127.0.0.1', now() from rows;
  perform id, status, amount, fee from payout_orders where id in (select id from rows);
end $$;
