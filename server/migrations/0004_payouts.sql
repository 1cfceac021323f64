-- Payout orders as their whole life needs them. payout_orders was made in 0002 for the postings; rows of before keep the
-- defaults.

alter table payout_orders
  add column client_ip text,
  add column payee_bank text,
  add column payee_address text,
  add column payee_phone text,
  add column param1 text,
  add column param2 text,
  add column reject_reason text,
  -- A supplier's word alone: no debit message of its bank bears the payment out yet.
  add column unproven boolean not null default false,
  -- A claim is a lease: not confirmed by then, the order waits to be confirmed.
  add column claimed_at timestamptz,
  add column claimed_until timestamptz,
  -- The automatic process that holds the order ('gateway', a batch): people keep off until it is unlocked.
  add column locked_by text,
  add column locked_at timestamptz,
  -- Sends to a gateway so far. A new one begins only after a failed end, and with a key of its own.
  add column attempt int not null default 0,
  -- A send whose answer is not recorded: under way, or lost with its node. Never sent again by itself.
  add column sending_since timestamptz,
  add column submitted_at timestamptz,
  add column gateway_ref text,
  add column asked_at timestamptz,
  add constraint payout_waits_unowned check (status not in (0, 4) or supplier_id is null),
  add constraint payout_claim_is_owned check (claimed_until is null or (status = 1 and supplier_id is not null)),
  add constraint payout_end_has_time check ((status in (3, 4, 6)) = (finished_at is not null)),
  add constraint payout_unproven_is_paid check (not unproven or (status = 3 and utr is not null));

-- What the sweeps look for: few rows of many.
create index payout_orders_claims on payout_orders (claimed_until) where claimed_until is not null;
create index payout_orders_at_gateway on payout_orders (product_id, asked_at) where status in (2, 7, 8);
create index payout_orders_sending on payout_orders (sending_since) where sending_since is not null;
create index payout_orders_waiting on payout_orders (product_id, id) where status = 0;
create index payout_orders_unproven on payout_orders (utr) where unproven;
create index payout_orders_utr on payout_orders (utr) where utr is not null;

-- Word of a payout's end to its merchant.
alter table callbacks drop constraint callbacks_kind_check;
alter table callbacks add constraint callbacks_kind_check
  check (kind in ('paid', 'manual', 'timeout', 'reversed', 'payout'));
