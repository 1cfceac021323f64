-- Invoices of merchants' fees. What was issued never changes: the application may add rows and nothing else.

-- Months that were invoiced, each once, one after the other.
create table invoice_months (
  month date primary key check (extract(day from month) = 1),
  -- Of what the fees contain.
  tax_percent smallint not null check (tax_percent between 0 and 100),
  issuer text not null check (issuer <> ''),
  issued_at timestamptz not null
);

create table invoices (
  id bigint primary key,
  merchant_id bigint not null references merchants (id),
  merchant_name text not null,
  month date not null references invoice_months (month),
  currency text not null check (currency in ('INR', 'KES', 'USDT')),
  -- The financial year it was issued in, from April on, and its number there.
  year smallint not null,
  number int not null check (number > 0),
  -- A number has the one before it: there is no gap.
  number_before int generated always as (nullif(number - 1, 0)) stored,
  -- Sums of its lines; a negative one is a credit note.
  fee bigint not null,
  tax bigint not null,
  unique (year, number),
  unique (merchant_id, month, currency),
  foreign key (year, number_before) references invoices (year, number)
);

-- A fee of its own month, or how much the fees of an earlier month have changed since they were invoiced: taken back, or late.
create table invoice_lines (
  invoice_id bigint not null references invoices (id),
  fee_month date not null references invoice_months (month),
  direction text not null check (direction in ('in', 'out')),
  product_id int not null,
  fee bigint not null check (fee <> 0),
  tax bigint not null,
  constraint invoice_tax_is_part_of_fee check (abs(tax) <= abs(fee) and (tax = 0 or (tax > 0) = (fee > 0))),
  primary key (invoice_id, fee_month, direction, product_id)
);
