-- Collection orders $1 to $2 of $3, spread evenly over the 365 days up to $4. Few merchants and suppliers have most of them.
with drawn as materialized (
  select n, $4::timestamptz - ($3::bigint - n) * (interval '365 days' / $3::bigint) as at, random() as fate, random() as rail,
    random() as price, random() as named, random() as rare, (power(random(), 3) * 899)::int + 1 as merchant,
    (power(random(), 2) * 199)::int + 1 as supplier, (random() * 3)::int as slot, random() as a, random() as b
  from generate_series($1::bigint, $2::bigint) n
), railed as (
  select d.*, case when rail < 0.45 then 1010 when rail < 0.65 then 1012 when rail < 0.73 then 1021 when rail < 0.81 then 1022
      when rail < 0.89 then 1023 when rail < 0.92 then 1024 when rail < 0.95 then 1030 when rail < 0.965 then 1001
      when rail < 0.985 then 1045 else 1060 end as product,
    case when at > $4::timestamptz - interval '10 minutes' then 1 when fate < 0.52 then 2 when fate < 0.952 then 3 when fate < 0.962 then 4
      when fate < 0.966 then 6 else 5 end as status
  from drawn d
), priced as (
  select r.*, ((floor(extract(epoch from at) * 1000)::bigint - 1577836800000) << 22) | 2048 as id, status in (3, 4, 6) as paid,
    case product when 1045 then 'USDT' when 1060 then 'KES' else 'INR' end as currency,
    case when product = 1045 then 1000000 * (5 + floor(price * 500))::bigint
      when price < 0.4 then (array[10000, 20000, 50000, 100000, 200000, 500000])[1 + floor(price * 15)::int]
      else 500 * (20 + floor(a * a * 20000))::bigint end as amount
  from railed r
), orders as (
  insert into collection_orders (id, merchant_id, mch_order_no, product_id, currency, amount, payable, received, status, supplement_status,
    mark, supplier_id, account_id, identify_code, client_ip, user_name, utr, notify_url, subject, body, merchant_rate_ppm,
    merchant_fixed_fee, fee, supplier_commission, allocated_at, expires_at, paid_at, reversed_at, created_at)
  select id, 10000 + merchant, 'ORD' || n, product, currency, amount, case when status <> 5 then amount + n % 499 end,
    case when paid then amount + n % 499 + case when rare < 0.005 then 500 else 0 end end, status,
    case when paid and rare < 0.02 then 1 else 0 end,
    case when b < 0.97 then 0 when b < 0.98 then 1 when b < 0.99 then 2 when b < 0.995 then 3 else 4 end,
    case when status <> 5 then 20000 + supplier end,
    case when status <> 5 then 40000 + 6 * supplier + case currency when 'USDT' then 4 when 'KES' then 5 else slot end end,
    'S' || translate(upper(substr(md5(n::text), 1, 8)), '01AE', 'XYZW'),
    case when rare < 0.85 then (array['49.36', '106.195', '117.97', '157.48', '223.187', '152.58', '27.59', '110.224'])[1 + floor(rare * 9.4)::int]
      || '.' || floor(a * a * 255) || '.' || floor(b * 255) end,
    case when named < 0.6 then (array['Asha', 'Ravi', 'Sunita', 'Imran', 'Priya', 'Karthik', 'Neha', 'Joseph', 'Lakshmi', 'Harpreet', 'Anil',
        'Fatima', 'Deepak', 'Shreya', 'Manoj', 'Pooja', 'Vikram', 'Rekha', 'Suresh', 'Nisha', 'Gopal', 'Ayesha', 'Ramesh', 'Divya', 'Zubin',
        'Ishaan'])[1 + floor(power(named / 0.6, 2) * 26)::int]
      || ' ' || chr(65 + floor(a * 26)::int) || ' ' || (array['Rao', 'Sharma', 'Patil', 'Khan', 'Nair', 'Reddy', 'Gupta', 'DSouza', 'Iyer', 'Singh',
        'Joshi', 'Das', 'Mehta', 'Verma', 'Kulkarni', 'Pillai', 'Chauhan', 'Bose', 'Naidu', 'Shetty', 'Mukherjee', 'Wadia'])[1 + floor(b * b * 22)::int] end,
    case when paid then (300000000000 + n)::text end, 'https://merchant' || merchant || '.example/notify',
    case when merchant % 10 < 7 then (array['Recharge', 'Wallet top-up', 'Order payment', 'Monthly subscription', 'Course fee', 'Game credits',
      'Ticket booking'])[1 + merchant % 10] || case when merchant % 3 = 0 then ' #' || n else '' end end,
    case when merchant % 4 = 0 then 'Customer ' || n * 7919 % 1000003 end, 30000, 0, case when paid then amount * 3 / 100 end,
    case when paid then amount / 100 end, case when status <> 5 then at end, case when status <> 5 then at + interval '10 minutes' end,
    case when paid then at + interval '3 minutes' end, case when paid and rare > 0.998 then at + interval '1 day' end, at
  from priced
)
insert into merchant_orders (merchant_id, mch_order_no, order_id, direction, content_hash)
select 10000 + merchant, 'ORD' || n, id, 'in', decode(md5(n::text), 'hex') from priced;
