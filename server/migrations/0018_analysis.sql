-- Where orders come from, what becomes of them, and the analyses made of it.

-- Orders that changed and are not counted yet (room history). Written with the event, drained by a worker in the transaction that
-- counts: exact whatever commits late and whoever is killed. Rows live for a second, so vacuum comes by count alone.
create table order_changes (
  id bigint not null,
  order_id bigint not null,
  -- The merchant has acknowledged the payment, and nothing else has changed.
  told boolean not null default false
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, vacuum_truncate = off);

-- The first times of a payer on the payment page.
create table order_visits (
  order_id bigint primary key,
  opened_at timestamptz,
  -- The account to pay was shown.
  seen_at timestamptz,
  -- Host of the page the payer came from; null: none was said.
  referrer text,
  device text check (device in ('phone', 'tablet', 'desktop')),
  check (opened_at is not null or seen_at is not null)
);

-- An order as source_sums counts it. A later change takes this off and adds the new one.
create table order_sources (
  order_id bigint primary key,
  day date not null,
  hour smallint not null,
  merchant_id bigint not null,
  currency text not null,
  amount bigint not null,
  received bigint,
  referrer text not null,
  device text not null,
  -- The client's /24 (IPv4) or /48 (IPv6); '' where the order names no address.
  network text not null,
  -- Lower bound of the band the amount lies in, minor units: 1, 2, 5, 10, 20, 50 …
  band bigint not null,
  bank text not null,
  -- The furthest step: 0 created, 1 page opened, 2 account seen, 3 payer says paid, 4 paid, 5 acknowledged.
  reached smallint not null check (reached between 0 and 5),
  -- Of a test order: it is counted nowhere.
  test boolean not null,
  -- The statement (no_loss_hours) that spoke of it once it was paid.
  stated_at timestamptz
) with (fillfactor = 80);
create index order_sources_network on order_sources (network, order_id);
create index order_sources_referrer on order_sources (referrer, order_id);
-- Of paid orders. A step further changes no index: its row stays on its page.
create index order_sources_unstated on order_sources (order_id) where received is not null and stated_at is null;

-- Orders by day of creation and one dimension at a time. r0 to r5: how many reached at least that step.
create table source_sums (
  day date not null,
  dimension text not null check (dimension in ('hour', 'referrer', 'device', 'network', 'band', 'bank')),
  value text not null,
  merchant_id bigint not null,
  currency text not null,
  r0 int not null check (r0 >= 0),
  r1 int not null,
  r2 int not null,
  r3 int not null,
  r4 int not null,
  r5 int not null check (r5 >= 0),
  amount bigint not null,
  paid_amount bigint not null,
  primary key (dimension, day, value, merchant_id, currency)
);

-- Orders by client address and minute of creation; kept as long as the longest window of GlobalSecuritySetting, a day.
create table ip_minutes (
  ip text not null,
  minute timestamptz not null,
  orders int not null,
  paid int not null,
  merchants bigint[] not null,
  accounts bigint[] not null,
  -- Hashes of payers' names.
  names bigint[] not null,
  primary key (ip, minute)
);
create index ip_minutes_minute on ip_minutes (minute);

-- Addresses that were abnormal, are frozen, or are exempt from both. An address frozen as a network has its prefix here.
create table abnormal_ips (
  id bigint primary key,
  ip text not null unique,
  state text not null check (state in ('abnormal', 'frozen', 'exempt')),
  -- The highest count within a window, and what was usual then; null where a person named the address first.
  orders int,
  window_minutes int,
  threshold int,
  since timestamptz not null,
  last_over_at timestamptz,
  frozen_at timestamptz,
  frozen_until timestamptz,
  reason text,
  changed_by bigint,
  changed_at timestamptz,
  check ((state = 'frozen') = (frozen_until is not null)),
  check ((state = 'frozen') = (frozen_at is not null))
);

-- Addresses that signed calls of merchants came from: servers of merchants, which are not to be frozen.
create table merchant_callers (
  ip text not null,
  merchant_id bigint not null,
  seen_at timestamptz not null,
  primary key (ip, merchant_id)
);

-- Every hour what came in, what became of it, and what is not at its end yet. Written once; a row is never changed.
create table no_loss_hours (
  hour timestamptz not null,
  currency text not null,
  -- Paid orders that became known since the statement before; late ones of earlier hours have a line.
  evidence_count int not null,
  evidence_amount bigint not null,
  credited_count int not null,
  credited_amount bigint not null,
  notified_count int not null,
  notified_amount bigint not null,
  acknowledged_count int not null,
  acknowledged_amount bigint not null,
  -- What the lines of this statement add to what is open, and take off it.
  residue_count int not null,
  residue_amount bigint not null,
  closed_count int not null,
  closed_amount bigint not null,
  -- Of the statement before of this currency; 32 zero bytes for the first.
  previous_hash bytea not null check (length(previous_hash) = 32),
  hash bytea not null check (length(hash) = 32),
  mark text not null,
  written_at timestamptz not null,
  primary key (hour, currency)
);

create table no_loss_lines (
  id bigint primary key,
  -- The statement it belongs to.
  hour timestamptz not null,
  currency text not null,
  order_id bigint not null,
  -- The hour the order was paid in.
  paid_hour timestamptz not null,
  kind text not null check (kind in ('noEvidence', 'notCredited', 'creditDiffers', 'notNotified', 'notAcknowledged', 'givenUp',
    'withdrawn', 'noCallback', 'late', 'acknowledged', 'reversed')),
  -- What the line adds to what is open (+), or takes off it (−); 0: a remark.
  amount bigint not null,
  -- What it takes off the credited money: a reversal.
  credited bigint not null check (credited <= 0),
  -- Who has it now.
  holder text not null check (holder in ('platform', 'merchant', 'desk', 'superAdmin', 'nobody')),
  foreign key (hour, currency) references no_loss_hours (hour, currency)
);
create index no_loss_lines_order on no_loss_lines (order_id);
create index no_loss_lines_hour on no_loss_lines (hour, currency);

-- Orders whose lines do not come out even yet.
create table no_loss_open (
  order_id bigint primary key,
  hour timestamptz not null,
  currency text not null,
  amount bigint not null,
  kind text not null
);

create function refuse_no_loss_change() returns trigger language plpgsql as $$
begin
  raise exception 'statements are never changed; a correction is a line of a later one';
end $$;
create trigger no_loss_hours_stay before update or delete on no_loss_hours for each row execute function refuse_no_loss_change();
create trigger no_loss_lines_stay before update or delete on no_loss_lines for each row execute function refuse_no_loss_change();
