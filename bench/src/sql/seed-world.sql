-- Whom the orders of bench:seed belong to: 900 merchants, 200 suppliers with six accounts each.
insert into users (id, account, nickname, role, password_hash, created_at)
  select 1000 + n, 'seedMerchant' || n, 'Seed merchant ' || n, 'merchant', 'none', now() from generate_series(1, 900) n;
insert into users (id, account, nickname, role, password_hash, created_at)
  select 3000 + n, 'seedSupplier' || n, 'Seed supplier ' || n, 'supplier', 'none', now() from generate_series(1, 200) n;
insert into merchants (id, user_id, name, sign_type, secret, created_at) overriding system value
  select 10000 + n, 1000 + n, 'Merchant ' || n, 'md5', '\x00', now() from generate_series(1, 900) n;
-- Every third was brought by one of the first twenty.
insert into suppliers (id, user_id, agent_id, name, created_at) overriding system value
  select 20000 + n, 3000 + n, case when n > 20 and n % 3 = 0 then 20001 + n % 20 end, 'Supplier ' || n, now() from generate_series(1, 200) n;
-- Four of a bank, one on TRON, one of M-Pesa.
insert into accounts (id, supplier_id, kind, bank, owner_name, account_number, ifsc, mpesa_type, sender_header, currency, purpose, created_at)
  overriding system value
  select 40000 + 6 * s + n, 20000 + s, case n when 4 then 'usdt' when 5 then 'mpesa' else 'bank' end,
    case n when 4 then 'TRON' when 5 then 'M-Pesa' else (array['HDFC', 'ICIC', 'SBIN', 'UTIB'])[n + 1] end, 'Owner ' || s,
    case n when 4 then 'T' || substr(translate(md5('a' || s) || md5('b' || s), '0', 'x'), 1, 33) when 5 then (100000 + s)::text
      else '50' || lpad((s * 10 + n)::text, 10, '0') end,
    case when n < 4 then (array['HDFC', 'ICIC', 'SBIN', 'UTIB'])[n + 1] || '0' || lpad(s::text, 6, '0') end,
    case n when 5 then 'paybill' end, 'SEEDBK', case n when 4 then 'USDT' when 5 then 'KES' else 'INR' end, 'collection', now()
  from generate_series(1, 200) s, generate_series(0, 5) n;
insert into account_load (account_id) select id from accounts where id > 40000;
