-- What each user of the staff decided on its own word on a day, with no message that bears it out (setting UnprovenDayLimit). Minor units.
create table own_word_days (
  user_id bigint not null,
  day date not null,
  currency text not null check (currency in ('INR', 'KES', 'USDT')),
  amount bigint not null check (amount >= 0),
  primary key (user_id, day, currency)
);

-- Whether this is a demo (or a trial) or a production, as the first node that came to the database was. No node of the other kind starts.
create table installation (
  id smallint primary key check (id = 1),
  kind text not null check (kind in ('demo', 'production')),
  marked_at timestamptz not null
);

-- How many payouts a supplier has taken and given back unpaid on a day: it has seen their payees (setting ClaimsGivenBackPerDay).
create table given_back_days (
  supplier_id bigint not null references suppliers (id),
  day date not null,
  payouts int not null check (payouts > 0),
  primary key (supplier_id, day)
);
