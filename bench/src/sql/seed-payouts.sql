-- Payout orders $1 to $2 of $3, spread evenly over the 365 days up to $4.
with drawn as materialized (
  select n, $4::timestamptz - ($3::bigint - n) * (interval '365 days' / $3::bigint) as at, random() as fate, random() as rail,
    random() as price, random() as rare, (power(random(), 3) * 899)::int + 1 as merchant, (power(random(), 2) * 199)::int + 1 as supplier,
    random() as a, random() as b
  from generate_series($1::bigint, $2::bigint) n
), railed as (
  select d.*, case when rail < 0.6 then 2001 when rail < 0.75 then 2010 when rail < 0.96 then 2012 when rail < 0.98 then 2045 else 2060 end as product,
    case when at > $4::timestamptz - interval '10 minutes' then 0 when fate < 0.93 then 3 when fate < 0.96 then 4 when fate < 0.995 then 6
      when fate < 0.998 then 7 else 9 end as status
  from drawn d
), priced as (
  select r.*, ((floor(extract(epoch from at) * 1000)::bigint - 1577836800000) << 22) | 2049 as id, status = 3 as paid,
    case product when 2045 then 'USDT' when 2060 then 'KES' else 'INR' end as currency,
    case when product = 2045 then 1000000 * (5 + floor(price * 500))::bigint
      when price < 0.4 then (array[10000, 20000, 50000, 100000, 200000, 500000])[1 + floor(price * 15)::int]
      else 100 * (100 + floor(a * a * 200000))::bigint end as amount
  from railed r
), orders as (
  insert into payout_orders (id, merchant_id, mch_order_no, product_id, currency, amount, fee, status, mark, supplier_id, payee_name,
    payee_account, payee_ifsc, payee_bank, payee_vpa, payee_address, payee_phone, utr, unproven, reject_reason, client_ip, locked_by,
    finished_at, reversed_at, upload_id, created_at)
  select id, 10000 + merchant, 'PAY' || n, product, currency, amount, amount / 100, status,
    case when b < 0.97 then 0 when b < 0.98 then 1 when b < 0.99 then 2 when b < 0.995 then 3 else 4 end,
    case when status not in (0, 4) then 20000 + supplier end,
    (array['Asha', 'Ravi', 'Sunita', 'Imran', 'Priya', 'Karthik', 'Neha', 'Joseph', 'Lakshmi', 'Harpreet', 'Anil', 'Fatima', 'Zubin'])[1 + floor(a * a * 13)::int]
      || ' ' || chr(65 + floor(rail * 26)::int) || ' ' || (array['Rao', 'Sharma', 'Patil', 'Khan', 'Nair', 'Reddy', 'Gupta', 'Iyer', 'Singh', 'Wadia'])[1 + floor(b * b * 10)::int],
    case when product in (2001, 2010) then (30000000000 + floor(b * 2000000))::text end,
    case when product in (2001, 2010) then (array['HDFC', 'ICIC', 'SBIN', 'UTIB', 'PUNB'])[1 + floor(a * 5)::int] || '0' || lpad(floor(b * 5000)::text, 6, '0') end,
    case when product in (2001, 2010) then 'Bank' end, case product when 2012 then 'payee' || floor(b * 1000000) || '@okaxis' end,
    case product when 2045 then 'T' || substr(translate(md5('p' || floor(b * 5000)) || md5('q' || floor(b * 5000)), '0', 'x'), 1, 33) end,
    case product when 2060 then '2547' || lpad(floor(b * 99999999)::text, 8, '0') end,
    case when paid then (700000000000 + n)::text end, paid and rare < 0.002, case status when 6 then 'account closed' end,
    case when rare < 0.85 then '49.36.' || floor(a * a * 255) || '.' || floor(b * 255) end, case when status in (7, 9) then 'gateway' end,
    case when status in (3, 4, 6) then at + interval '20 minutes' end, case when status = 6 and rare < 0.1 then at + interval '1 day' end,
    case when rare > 0.9 then n / 100 + 1 end, at
  from priced
)
insert into merchant_orders (merchant_id, mch_order_no, order_id, direction, content_hash)
select 10000 + merchant, 'PAY' || n, id, 'out', decode(md5(n::text), 'hex') from priced;
