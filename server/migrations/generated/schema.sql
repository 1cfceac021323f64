-- Written by `npm run schema -- write`: the schema that the migrations make. A test compares it.

CREATE EXTENSION pg_trgm;

CREATE OR REPLACE FUNCTION public.assert_or_retry(holds boolean)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if holds is not true then
    raise exception 'another transaction came between' using errcode = 'serialization_failure';
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION public.beneficiary_is_approved()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from approvals a where a.id = new.approval_id and a.kind = 'beneficiary' and a.status = 'approved'
      and a.subject_kind = 'merchant' and a.subject_id = new.merchant_id) then
    raise exception 'nobody agreed to the beneficiary %', new.id
      using errcode = 'integrity_constraint_violation', constraint = 'beneficiary_is_approved';
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.decide_once()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.status <> 'pending' then
    raise exception 'the request % is decided already', old.id using errcode = 'integrity_constraint_violation';
  end if;
  if new.status <> 'pending' then
    new.decided_tx_id := pg_current_xact_id()::text::bigint;
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.load_generation(version bigint)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (version / 64);

CREATE OR REPLACE FUNCTION public.note_allocation_pool_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- Once a transaction, however many rows it changes.
  update allocation_pool_version set version = txid_current() where version <> txid_current();
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_archive_touch()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
AS $function$
begin
  insert into archive_touches values (tg_argv[0]::bigint) on conflict do nothing;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_collection_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into statistics_changes
  select c.id, c.sign, c.told_sign, 'in',
    c.merchant_id, c.supplier_id, c.account_id, c.product_id, c.currency, c.mark, c.status, c.supplement_status, c.amount,
    c.received, c.fee, c.supplier_commission, c.agent_commission, c.allocated_at, c.created_at, c.paid_at, c.reversed_at,
    c.told_at, c.told_attempt
  from old_rows o
  join new_rows n on n.id = o.id
  -- Nothing but the acknowledgement: most changes are one.
  cross join lateral (select (o.status * (o.status in (2, 5))::int, o.supplier_id, o.account_id, o.mark, o.supplement_status, o.amount, o.received,
    o.fee, o.supplier_commission, o.agent_commission, o.allocated_at, o.paid_at, o.reversed_at, o.merchant_id,
    o.product_id, o.currency, o.created_at) is not distinct from (n.status * (n.status in (2, 5))::int, n.supplier_id,
    n.account_id, n.mark, n.supplement_status, n.amount, n.received, n.fee, n.supplier_commission, n.agent_commission,
    n.allocated_at, n.paid_at, n.reversed_at, n.merchant_id, n.product_id, n.currency, n.created_at)
    as is_told) e
  cross join lateral (
    select -1 as sign, -1 as told_sign, o.* where not e.is_told or o.told_at is not null
    union all select case when e.is_told and o.told_at is null then 0 else 1 end, 1, n.*
  ) c
  where not e.is_told or (o.told_at, o.told_attempt) is distinct from (n.told_at, n.told_attempt);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_collection_created()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into statistics_changes
  select n.id, 1, 1, 'in',
    n.merchant_id, n.supplier_id, n.account_id, n.product_id, n.currency, n.mark, n.status, n.supplement_status, n.amount,
    n.received, n.fee, n.supplier_commission, n.agent_commission, n.allocated_at, n.created_at, n.paid_at, n.reversed_at,
    n.told_at, n.told_attempt
  from new_rows n;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_payout_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into statistics_changes
  select c.id, c.sign, c.told_sign, 'out',
    c.merchant_id, c.supplier_id, c.account_id, c.product_id, c.currency, c.mark, c.status, 0, c.amount, null::bigint, c.fee,
    c.supplier_commission, c.agent_commission, null::timestamptz, c.created_at, c.finished_at, c.reversed_at, c.told_at,
    c.told_attempt
  from old_rows o
  join new_rows n on n.id = o.id
  -- Nothing but the acknowledgement: most changes are one.
  cross join lateral (select (o.supplier_id, o.account_id, o.mark, o.status, o.amount, o.fee, o.supplier_commission, o.agent_commission,
    o.finished_at, o.reversed_at, o.merchant_id, o.product_id, o.currency, o.created_at) is not distinct from
    (n.supplier_id, n.account_id, n.mark, n.status, n.amount, n.fee, n.supplier_commission, n.agent_commission,
    n.finished_at, n.reversed_at, n.merchant_id, n.product_id, n.currency, n.created_at)
    as is_told) e
  cross join lateral (
    select -1 as sign, -1 as told_sign, o.* where not e.is_told or o.told_at is not null
    union all select case when e.is_told and o.told_at is null then 0 else 1 end, 1, n.*
  ) c
  where not e.is_told or (o.told_at, o.told_attempt) is distinct from (n.told_at, n.told_attempt);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_payout_created()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into statistics_changes
  select n.id, 1, 1, 'out',
    n.merchant_id, n.supplier_id, n.account_id, n.product_id, n.currency, n.mark, n.status, 0, n.amount, null::bigint, n.fee,
    n.supplier_commission, n.agent_commission, null::timestamptz, n.created_at, n.finished_at, n.reversed_at, n.told_at,
    n.told_attempt
  from new_rows n;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.note_unproven()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update ledger_accounts set unproven = unproven + case when new.unproven then new.amount else -new.amount end
  where owner_kind = 'supplier' and owner_id = new.supplier_id and currency = new.currency and bucket = 'deposit' and slot = 0;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.refuse_no_loss_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'statements are never changed; a correction is a line of a later one';
end $function$;

CREATE OR REPLACE FUNCTION public.withdraw_timeouts(order_ids bigint[], now timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  untried bigint[] := array(
    select q.callback_id from callback_queue q
    where q.attempts = 0 and q.callback_id = any(array(
      select id from callbacks where order_id = any(order_ids) and kind = 'timeout')));
begin
  if untried = '{}' or not pg_try_advisory_xact_lock_shared(7426004) then
    return;
  end if;
  with gone as (
    delete from callback_queue
    where callback_id = any(untried) and attempts = 0
      and callback_id not in (select unnest(callback_ids) from callback_leases where until >= now)
    returning callback_id)
  delete from callbacks where id in (select callback_id from gone);
end
$function$;

CREATE OR REPLACE FUNCTION public.withdrawal_pays_its_beneficiary()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from payout_orders o join beneficiaries b on b.id = new.beneficiary_id and b.removed_at is null
      where o.id = new.order_id and o.merchant_id = new.merchant_id and o.payee_name = b.name
        and (o.payee_account, o.payee_ifsc, o.payee_vpa) is not distinct from (b.account, b.ifsc, b.vpa)) then
    raise exception 'payout % does not pay the beneficiary %', new.order_id, new.beneficiary_id
      using errcode = 'integrity_constraint_violation', constraint = 'withdrawal_pays_its_beneficiary';
  end if;
  return new;
end
$function$;

CREATE AGGREGATE sum_bigint(bigint) (SFUNC = int8pl, STYPE = bigint, INITCOND = '0', COMBINEFUNC = int8pl, PARALLEL = SAFE);

CREATE AGGREGATE sum_numeric(numeric) (SFUNC = numeric_add, STYPE = numeric, INITCOND = NULL, COMBINEFUNC = numeric_add, PARALLEL = SAFE);

CREATE TABLE abnormal_ips (
  id bigint NOT NULL,
  ip text NOT NULL,
  state text NOT NULL,
  orders integer,
  window_minutes integer,
  threshold integer,
  since timestamp with time zone NOT NULL,
  last_over_at timestamp with time zone,
  frozen_at timestamp with time zone,
  frozen_until timestamp with time zone,
  reason text,
  changed_by bigint,
  changed_at timestamp with time zone,
  CONSTRAINT abnormal_ips_pkey PRIMARY KEY (id),
  CONSTRAINT abnormal_ips_ip_key UNIQUE (ip),
  CONSTRAINT abnormal_ips_check CHECK ((state = 'frozen'::text) = (frozen_until IS NOT NULL)),
  CONSTRAINT abnormal_ips_check1 CHECK ((state = 'frozen'::text) = (frozen_at IS NOT NULL)),
  CONSTRAINT abnormal_ips_ip_check CHECK (ip::inet IS NOT NULL),
  CONSTRAINT abnormal_ips_state_check CHECK (state = ANY (ARRAY['abnormal'::text, 'frozen'::text, 'exempt'::text]))
);

CREATE TABLE access_review_users (
  review_id bigint NOT NULL,
  user_id bigint NOT NULL,
  role text NOT NULL,
  last_used_at timestamp with time zone,
  verdict text,
  decided_by bigint,
  decided_at timestamp with time zone,
  CONSTRAINT access_review_users_pkey PRIMARY KEY (review_id, user_id),
  CONSTRAINT access_review_users_check CHECK ((verdict IS NULL) = (decided_by IS NULL) AND (verdict IS NULL) = (decided_at IS NULL)),
  CONSTRAINT access_review_users_verdict_check CHECK (verdict = ANY (ARRAY['keep'::text, 'remove'::text])),
  CONSTRAINT access_review_users_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES users(id),
  CONSTRAINT access_review_users_review_id_fkey FOREIGN KEY (review_id) REFERENCES access_reviews(id),
  CONSTRAINT access_review_users_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

CREATE TABLE access_reviews (
  id bigint NOT NULL,
  opened_by bigint,
  opened_at timestamp with time zone NOT NULL,
  closed_by bigint,
  closed_at timestamp with time zone,
  CONSTRAINT access_reviews_pkey PRIMARY KEY (id),
  CONSTRAINT access_reviews_check CHECK ((closed_by IS NULL) = (closed_at IS NULL)),
  CONSTRAINT access_reviews_closed_by_fkey FOREIGN KEY (closed_by) REFERENCES users(id),
  CONSTRAINT access_reviews_opened_by_fkey FOREIGN KEY (opened_by) REFERENCES users(id)
);
CREATE UNIQUE INDEX access_reviews_open ON access_reviews USING btree ((true)) WHERE closed_at IS NULL;

CREATE TABLE account_days (
  account_id bigint NOT NULL,
  day date NOT NULL,
  version bigint DEFAULT 0 NOT NULL,
  generation bigint GENERATED ALWAYS AS (load_generation(version)) STORED NOT NULL,
  orders integer NOT NULL,
  amount bigint NOT NULL,
  allocated integer DEFAULT 0 NOT NULL,
  paid integer DEFAULT 0 NOT NULL,
  CONSTRAINT account_days_pkey PRIMARY KEY (account_id, day, generation),
  CONSTRAINT account_days_allocated_check CHECK (allocated >= 0),
  CONSTRAINT account_days_amount_check CHECK (amount >= 0),
  CONSTRAINT account_days_orders_check CHECK (orders >= 0),
  CONSTRAINT account_days_paid_check CHECK (paid >= 0),
  CONSTRAINT account_days_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
)
WITH (fillfactor=50, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=10000, vacuum_index_cleanup=on, autovacuum_vacuum_cost_delay=0);

CREATE TABLE account_load (
  account_id bigint NOT NULL,
  version bigint DEFAULT 0 NOT NULL,
  generation bigint GENERATED ALWAYS AS (load_generation(version)) STORED NOT NULL,
  waiting_count integer DEFAULT 0 NOT NULL,
  waiting_amount bigint DEFAULT 0 NOT NULL,
  grace_amount bigint DEFAULT 0 NOT NULL,
  last_used_at timestamp with time zone,
  CONSTRAINT account_load_pkey PRIMARY KEY (account_id, generation),
  CONSTRAINT account_load_grace_amount_check CHECK (grace_amount >= 0),
  CONSTRAINT account_load_waiting_amount_check CHECK (waiting_amount >= 0),
  CONSTRAINT account_load_waiting_count_check CHECK (waiting_count >= 0),
  CONSTRAINT account_load_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
)
WITH (fillfactor=30, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=10000, vacuum_index_cleanup=on, autovacuum_vacuum_cost_delay=0);

CREATE TABLE account_pictures (
  account_id bigint NOT NULL,
  mime text NOT NULL,
  bytes bytea NOT NULL,
  content text NOT NULL,
  uploaded_by bigint NOT NULL,
  uploaded_at timestamp with time zone NOT NULL,
  CONSTRAINT account_pictures_pkey PRIMARY KEY (account_id),
  CONSTRAINT account_pictures_bytes_check CHECK (length(bytes) >= 1 AND length(bytes) <= 524288),
  CONSTRAINT account_pictures_mime_check CHECK (mime = ANY (ARRAY['image/png'::text, 'image/jpeg'::text])),
  CONSTRAINT account_pictures_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  CONSTRAINT account_pictures_uploaded_by_fkey FOREIGN KEY (uploaded_by) REFERENCES users(id)
);

CREATE TABLE accounts (
  id bigint GENERATED ALWAYS AS IDENTITY (START WITH 40001) NOT NULL,
  supplier_id bigint NOT NULL,
  direction text DEFAULT 'in'::text NOT NULL,
  kind text DEFAULT 'bank'::text NOT NULL,
  currency text NOT NULL,
  country text DEFAULT 'IN'::text NOT NULL,
  bank text NOT NULL,
  owner_name text NOT NULL,
  account_number text NOT NULL,
  account_tail text GENERATED ALWAYS AS ("right"(account_number, 4)) STORED NOT NULL,
  ifsc text,
  vpa text,
  mpesa_type text,
  gateway_provider text DEFAULT 'razorpayx'::text NOT NULL,
  pay_script_id bigint,
  credentials bytea,
  credentials_at timestamp with time zone,
  monitor_id bigint,
  sender_header text NOT NULL,
  balance_mode text DEFAULT 'optional'::text NOT NULL,
  purpose text NOT NULL,
  frozen boolean DEFAULT false NOT NULL,
  legal_hold boolean DEFAULT false NOT NULL,
  daily_count_limit integer,
  daily_amount_limit bigint,
  max_waiting integer DEFAULT 500 NOT NULL,
  opens_minute smallint,
  closes_minute smallint,
  merchant_whitelist bigint[],
  payer_whitelist text[],
  entered_by bigint[] DEFAULT '{}'::bigint[] NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT accounts_pkey PRIMARY KEY (id),
  CONSTRAINT account_hold_freezes CHECK (frozen OR NOT legal_hold),
  CONSTRAINT account_number_fits_kind CHECK (
CASE kind
    WHEN 'usdt'::text THEN account_number ~ '^T[1-9A-HJ-NP-Za-km-z]{33}$'::text
    WHEN 'mpesa'::text THEN account_number ~
    CASE mpesa_type
        WHEN 'phone'::text THEN '^254[17]\d{8}$'::text
        ELSE '^\d{5,7}$'::text
    END
    WHEN 'gateway'::text THEN account_number ~ '^[A-Za-z0-9_.-]{3,64}$'::text
    ELSE account_number ~ '^\d{4,20}$'::text
END),
  CONSTRAINT accounts_balance_mode_check CHECK (balance_mode = ANY (ARRAY['required'::text, 'optional'::text, 'none'::text])),
  CONSTRAINT accounts_bank_check CHECK (length(bank) >= 1 AND length(bank) <= 128),
  CONSTRAINT accounts_closes_minute_check CHECK (closes_minute >= 0 AND closes_minute <= 1439),
  CONSTRAINT accounts_country_check CHECK (country ~ '^[A-Z]{2}$'::text),
  CONSTRAINT accounts_currency_check CHECK (currency = ANY (ARRAY['INR'::text, 'KES'::text, 'USDT'::text])),
  CONSTRAINT accounts_direction_check CHECK (direction = ANY (ARRAY['in'::text, 'out'::text])),
  CONSTRAINT accounts_ifsc_check CHECK (ifsc ~ '^[A-Z]{4}0[A-Z0-9]{6}$'::text),
  CONSTRAINT accounts_kind_check CHECK (kind = ANY (ARRAY['bank'::text, 'upi'::text, 'card'::text, 'wallet'::text, 'gateway'::text, 'usdt'::text, 'mpesa'::text])),
  CONSTRAINT accounts_max_waiting_check CHECK (max_waiting > 0),
  CONSTRAINT accounts_merchant_whitelist_check CHECK (cardinality(merchant_whitelist) >= 1 AND cardinality(merchant_whitelist) <= 500),
  CONSTRAINT accounts_mpesa_type_check CHECK (mpesa_type = ANY (ARRAY['paybill'::text, 'till'::text, 'phone'::text])),
  CONSTRAINT accounts_opens_minute_check CHECK (opens_minute >= 0 AND opens_minute <= 1439),
  CONSTRAINT accounts_owner_name_check CHECK (length(owner_name) >= 1 AND length(owner_name) <= 128),
  CONSTRAINT accounts_payer_whitelist_check CHECK (cardinality(payer_whitelist) >= 1 AND cardinality(payer_whitelist) <= 500),
  CONSTRAINT bank_has_ifsc CHECK (kind <> 'bank'::text OR country <> 'IN'::text OR ifsc IS NOT NULL),
  CONSTRAINT credentials_have_time CHECK ((credentials IS NULL) = (credentials_at IS NULL)),
  CONSTRAINT credentials_of_rails CHECK (credentials IS NULL OR (kind = ANY (ARRAY['gateway'::text, 'mpesa'::text]))),
  CONSTRAINT currency_fits_kind CHECK ((kind <> 'usdt'::text OR currency = 'USDT'::text) AND (kind <> 'mpesa'::text OR currency = 'KES'::text)),
  CONSTRAINT gateway_provider_known CHECK (gateway_provider = ANY (ARRAY['razorpayx'::text, 'cashfree'::text, 'script'::text])),
  CONSTRAINT hours_are_a_span CHECK ((opens_minute IS NULL) = (closes_minute IS NULL) AND (opens_minute IS NULL OR opens_minute <> closes_minute)),
  CONSTRAINT mpesa_has_type CHECK ((mpesa_type IS NOT NULL) = (kind = 'mpesa'::text)),
  CONSTRAINT script_of_its_account CHECK ((gateway_provider = 'script'::text) = (pay_script_id IS NOT NULL)),
  CONSTRAINT upi_has_vpa CHECK ((kind <> ALL (ARRAY['upi'::text, 'wallet'::text])) OR vpa IS NOT NULL),
  CONSTRAINT accounts_monitor_id_fkey FOREIGN KEY (monitor_id) REFERENCES monitors(id),
  CONSTRAINT accounts_pay_script_id_fkey FOREIGN KEY (pay_script_id) REFERENCES pay_scripts(id),
  CONSTRAINT accounts_supplier_id_fkey FOREIGN KEY (supplier_id) REFERENCES suppliers(id)
);
CREATE INDEX accounts_monitor ON accounts USING btree (monitor_id);
CREATE UNIQUE INDEX accounts_number ON accounts USING btree (account_number, bank);
CREATE INDEX accounts_of_scripts ON accounts USING btree (pay_script_id) WHERE pay_script_id IS NOT NULL;
CREATE INDEX accounts_supplier ON accounts USING btree (supplier_id);
CREATE CONSTRAINT TRIGGER allocation_pool_changed AFTER INSERT OR DELETE OR UPDATE ON accounts DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_allocation_pool_change();

CREATE TABLE alert_deliveries (
  id bigint NOT NULL,
  alert_id bigint NOT NULL,
  event text NOT NULL,
  channel text NOT NULL,
  due_at timestamp with time zone NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  last_error text,
  token uuid,
  leased_until timestamp with time zone,
  CONSTRAINT alert_deliveries_pkey PRIMARY KEY (id),
  CONSTRAINT alert_deliveries_channel_check CHECK (channel = ANY (ARRAY['mail'::text, 'webhook'::text, 'telegram'::text, 'sms'::text])),
  CONSTRAINT alert_deliveries_event_check CHECK (event = ANY (ARRAY['opened'::text, 'acknowledged'::text, 'closed'::text])),
  CONSTRAINT alert_deliveries_last_error_check CHECK (length(last_error) <= 300),
  CONSTRAINT alert_deliveries_alert_id_fkey FOREIGN KEY (alert_id) REFERENCES alerts(id)
);
CREATE INDEX alert_deliveries_due ON alert_deliveries USING btree (channel, due_at);

CREATE TABLE alerts (
  id bigint NOT NULL,
  kind text NOT NULL,
  subject text NOT NULL,
  data jsonb NOT NULL,
  merchant_id bigint,
  supplier_id bigint,
  opened_at timestamp with time zone NOT NULL,
  acknowledged_at timestamp with time zone,
  acknowledged_by bigint,
  acknowledged_name text,
  closed_at timestamp with time zone,
  CONSTRAINT alerts_pkey PRIMARY KEY (id),
  CONSTRAINT acknowledged_by_somebody CHECK ((acknowledged_at IS NULL) = (acknowledged_name IS NULL)),
  CONSTRAINT alerts_acknowledged_by_fkey FOREIGN KEY (acknowledged_by) REFERENCES users(id),
  CONSTRAINT alerts_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  CONSTRAINT alerts_supplier_id_fkey FOREIGN KEY (supplier_id) REFERENCES suppliers(id)
);
CREATE INDEX alerts_acknowledged ON alerts USING btree (acknowledged_at) WHERE acknowledged_at IS NOT NULL;
CREATE INDEX alerts_closed ON alerts USING btree (closed_at) WHERE closed_at IS NOT NULL;
CREATE UNIQUE INDEX alerts_open ON alerts USING btree (kind, subject) WHERE closed_at IS NULL;

CREATE TABLE allocation_pool_version (
  only_row boolean DEFAULT true NOT NULL,
  version bigint NOT NULL,
  CONSTRAINT allocation_pool_version_pkey PRIMARY KEY (only_row),
  CONSTRAINT allocation_pool_version_only_row_check CHECK (only_row)
);

CREATE TABLE allocation_runs (
  id bigint NOT NULL,
  product_id integer NOT NULL,
  candidates jsonb NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT allocation_runs_pkey PRIMARY KEY (id)
) PARTITION BY RANGE (id);

CREATE TABLE approvals (
  id bigint NOT NULL,
  tx_id bigint DEFAULT pg_current_xact_id()::text::bigint NOT NULL,
  kind text NOT NULL,
  subject_kind text NOT NULL,
  subject_id bigint NOT NULL,
  payload jsonb NOT NULL,
  sealed bytea,
  reason text,
  status text DEFAULT 'pending'::text NOT NULL,
  is_sole boolean NOT NULL,
  request_key text,
  started_by bigint NOT NULL,
  started_as text NOT NULL,
  started_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  decided_by bigint,
  decided_at timestamp with time zone,
  decide_reason text,
  result jsonb,
  decided_tx_id bigint,
  CONSTRAINT approvals_pkey PRIMARY KEY (id),
  CONSTRAINT one_request_per_key UNIQUE (started_by, request_key),
  CONSTRAINT approvals_status_check CHECK (status = ANY (ARRAY['pending'::text, 'approved'::text, 'refused'::text, 'expired'::text, 'withdrawn'::text])),
  CONSTRAINT approvals_subject_kind_check CHECK (subject_kind = ANY (ARRAY['order'::text, 'merchant'::text, 'supplier'::text, 'account'::text, 'payoutBatch'::text, 'payScript'::text, 'setting'::text, 'message'::text, 'ipRule'::text, 'botGroup'::text, 'system'::text, 'listedName'::text, 'accessReview'::text, 'export'::text, 'user'::text])),
  CONSTRAINT approved_is_executed CHECK ((status = 'approved'::text) = (result IS NOT NULL)),
  CONSTRAINT decided_at_some_time CHECK ((status = 'pending'::text) = (decided_at IS NULL)),
  CONSTRAINT decided_by_someone CHECK ((status = ANY (ARRAY['approved'::text, 'refused'::text])) = (decided_by IS NOT NULL)),
  CONSTRAINT maker_is_not_checker CHECK (decided_by <> started_by),
  CONSTRAINT approvals_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES users(id),
  CONSTRAINT approvals_started_by_fkey FOREIGN KEY (started_by) REFERENCES users(id)
);
CREATE INDEX approvals_decided ON approvals USING btree (decided_at) WHERE decided_at IS NOT NULL;
CREATE INDEX approvals_decided_tx ON approvals USING btree (decided_tx_id) WHERE decided_tx_id IS NOT NULL;
CREATE INDEX approvals_pending ON approvals USING btree (kind, id DESC) WHERE status = 'pending'::text;
CREATE UNIQUE INDEX approvals_sole ON approvals USING btree (kind, subject_kind, subject_id, COALESCE(payload ->> 'currency'::text, ''::text)) WHERE status = 'pending'::text AND is_sole;
CREATE INDEX approvals_started ON approvals USING btree (started_by, id DESC);
CREATE INDEX approvals_subject ON approvals USING btree (subject_kind, subject_id) WHERE status = 'pending'::text;
CREATE INDEX approvals_tx ON approvals USING btree (tx_id);
CREATE TRIGGER approvals_decided_once BEFORE UPDATE ON approvals FOR EACH ROW EXECUTE FUNCTION decide_once();

CREATE TABLE archive_frames (
  archive_id bigint NOT NULL,
  number integer NOT NULL,
  starts_at bigint NOT NULL,
  length integer NOT NULL,
  row_count integer NOT NULL,
  first_order bigint NOT NULL,
  last_order bigint NOT NULL,
  hash bytea NOT NULL,
  CONSTRAINT archive_frames_pkey PRIMARY KEY (archive_id, number),
  CONSTRAINT archive_frames_check CHECK (last_order >= first_order),
  CONSTRAINT archive_frames_hash_check CHECK (length(hash) = 32),
  CONSTRAINT archive_frames_length_check CHECK (length > 0),
  CONSTRAINT archive_frames_row_count_check CHECK (row_count > 0),
  CONSTRAINT archive_frames_archive_id_fkey FOREIGN KEY (archive_id) REFERENCES archives(id)
);

CREATE TABLE archive_restores (
  id bigint NOT NULL,
  order_id bigint,
  archive_id bigint,
  state text DEFAULT 'waiting'::text NOT NULL,
  asked_by bigint,
  reason text NOT NULL,
  asked_at timestamp with time zone NOT NULL,
  done_at timestamp with time zone,
  failure text,
  CONSTRAINT archive_restores_pkey PRIMARY KEY (id),
  CONSTRAINT archive_restores_check CHECK (num_nonnulls(order_id, archive_id) = 1),
  CONSTRAINT archive_restores_check1 CHECK ((state = 'done'::text) = (done_at IS NOT NULL)),
  CONSTRAINT archive_restores_state_check CHECK (state = ANY (ARRAY['waiting'::text, 'done'::text])),
  CONSTRAINT archive_restores_archive_id_fkey FOREIGN KEY (archive_id) REFERENCES archives(id),
  CONSTRAINT archive_restores_asked_by_fkey FOREIGN KEY (asked_by) REFERENCES users(id)
);
CREATE INDEX archive_restores_order ON archive_restores USING btree (order_id, asked_at) WHERE order_id IS NOT NULL;
CREATE UNIQUE INDEX archive_restores_waiting ON archive_restores USING btree (order_id, archive_id) NULLS NOT DISTINCT WHERE state = 'waiting'::text;

CREATE TABLE archive_touches (
  archive_id bigint NOT NULL,
  CONSTRAINT archive_touches_pkey PRIMARY KEY (archive_id)
);

CREATE TABLE archived_events (
  archive_id bigint NOT NULL,
  number integer NOT NULL,
  first_id bigint NOT NULL,
  last_id bigint NOT NULL,
  leaves bytea NOT NULL,
  key_id text NOT NULL,
  signature bytea NOT NULL,
  CONSTRAINT archived_events_pkey PRIMARY KEY (archive_id, number),
  CONSTRAINT archived_events_leaves_check CHECK (length(leaves) > 0 AND (length(leaves) % 48) = 0),
  CONSTRAINT archived_events_signature_check CHECK (length(signature) = 64),
  CONSTRAINT archived_events_archive_id_fkey FOREIGN KEY (archive_id) REFERENCES archives(id)
);
CREATE INDEX archived_events_ids ON archived_events USING btree (first_id, last_id);

CREATE TABLE archived_orders (
  order_id bigint NOT NULL,
  direction text NOT NULL,
  archive_id bigint NOT NULL,
  CONSTRAINT archived_orders_pkey PRIMARY KEY (order_id),
  CONSTRAINT archived_orders_direction_check CHECK (direction = ANY (ARRAY['in'::text, 'out'::text]))
);
CREATE INDEX archived_orders_archive ON archived_orders USING btree (archive_id);

CREATE TABLE archives (
  id bigint NOT NULL,
  table_name text NOT NULL,
  month date NOT NULL,
  part integer NOT NULL,
  until date NOT NULL,
  state text NOT NULL,
  file text NOT NULL,
  columns text[] DEFAULT '{}'::text[] NOT NULL,
  row_count integer DEFAULT 0 NOT NULL,
  id_sum numeric DEFAULT 0 NOT NULL,
  bytes bigint DEFAULT 0 NOT NULL,
  sums jsonb DEFAULT '[]'::jsonb NOT NULL,
  hash bytea,
  key_id text,
  signature bytea,
  started_at timestamp with time zone NOT NULL,
  checked_at timestamp with time zone,
  ended_at timestamp with time zone,
  failure text,
  CONSTRAINT archives_pkey PRIMARY KEY (id),
  CONSTRAINT archives_file_key UNIQUE (file),
  CONSTRAINT archives_table_name_month_part_key UNIQUE (table_name, month, part),
  CONSTRAINT archives_check CHECK ((state = ANY (ARRAY['checked'::text, 'removed'::text])) <= (hash IS NOT NULL AND signature IS NOT NULL AND checked_at IS NOT NULL)),
  CONSTRAINT archives_check1 CHECK ((state = ANY (ARRAY['removed'::text, 'givenUp'::text])) = (ended_at IS NOT NULL)),
  CONSTRAINT archives_hash_check CHECK (length(hash) = 32),
  CONSTRAINT archives_month_check CHECK (EXTRACT(day FROM month) = 1::numeric),
  CONSTRAINT archives_part_check CHECK (part > 0),
  CONSTRAINT archives_row_count_check CHECK (row_count >= 0),
  CONSTRAINT archives_signature_check CHECK (length(signature) = 64),
  CONSTRAINT archives_state_check CHECK (state = ANY (ARRAY['writing'::text, 'checked'::text, 'removed'::text, 'givenUp'::text])),
  CONSTRAINT archives_table_name_check CHECK (table_name = ANY (ARRAY['collection_orders'::text, 'payout_orders'::text, 'order_events'::text, 'callback_attempts'::text, 'messages'::text]))
);
CREATE UNIQUE INDEX archives_open ON archives USING btree (table_name, month) WHERE state = ANY (ARRAY['writing'::text, 'checked'::text]);

CREATE TABLE audit_blocks (
  number bigint NOT NULL,
  from_tx bigint NOT NULL,
  to_tx bigint NOT NULL,
  row_count integer NOT NULL,
  leaves bytea NOT NULL,
  sealed_at timestamp with time zone NOT NULL,
  previous bytea NOT NULL,
  hash bytea NOT NULL,
  key_id text NOT NULL,
  signature bytea NOT NULL,
  CONSTRAINT audit_blocks_pkey PRIMARY KEY (number),
  CONSTRAINT audit_blocks_from_tx_key UNIQUE (from_tx),
  CONSTRAINT audit_blocks_hash_key UNIQUE (hash),
  CONSTRAINT audit_blocks_previous_key UNIQUE (previous),
  CONSTRAINT audit_blocks_check CHECK (to_tx > from_tx),
  CONSTRAINT audit_blocks_check1 CHECK (length(leaves) = (41 * row_count)),
  CONSTRAINT audit_blocks_from_tx_check CHECK (from_tx >= 0),
  CONSTRAINT audit_blocks_hash_check CHECK (length(hash) = 32),
  CONSTRAINT audit_blocks_number_check CHECK (number > 0),
  CONSTRAINT audit_blocks_previous_check CHECK (length(previous) = 32),
  CONSTRAINT audit_blocks_row_count_check CHECK (row_count > 0),
  CONSTRAINT audit_blocks_signature_check CHECK (length(signature) = 64)
);
CREATE INDEX audit_blocks_to ON audit_blocks USING btree (to_tx);

CREATE TABLE audit_checks (
  id smallint NOT NULL,
  next_block bigint NOT NULL,
  turn_started_at timestamp with time zone NOT NULL,
  good_to bigint NOT NULL,
  turn_ended_at timestamp with time zone,
  looked_at timestamp with time zone NOT NULL,
  announced_on date,
  in_hurry boolean DEFAULT false NOT NULL,
  count_due timestamp with time zone,
  parts jsonb,
  CONSTRAINT audit_checks_pkey PRIMARY KEY (id),
  CONSTRAINT audit_checks_id_check CHECK (id = 1)
);

CREATE TABLE audit_faults (
  kind text NOT NULL,
  row_id bigint NOT NULL,
  fault text NOT NULL,
  block bigint,
  found_at timestamp with time zone NOT NULL,
  seen_at timestamp with time zone NOT NULL,
  gone_at timestamp with time zone,
  CONSTRAINT audit_faults_pkey PRIMARY KEY (kind, row_id, fault),
  CONSTRAINT audit_faults_fault_check CHECK (fault = ANY (ARRAY['changed'::text, 'missing'::text, 'added'::text, 'moved'::text])),
  CONSTRAINT audit_faults_kind_check CHECK (kind = ANY (ARRAY['audit'::text, 'event'::text, 'approval'::text, 'decision'::text, 'posting'::text, 'entry'::text, 'block'::text]))
);
CREATE INDEX audit_faults_open ON audit_faults USING btree (found_at) WHERE gone_at IS NULL;

CREATE TABLE audit_log (
  id bigint NOT NULL,
  tx_id bigint DEFAULT pg_current_xact_id()::text::bigint NOT NULL,
  user_id bigint,
  role text,
  action text NOT NULL,
  subject text NOT NULL,
  before jsonb,
  after jsonb,
  reason text,
  ip text,
  device text,
  session_id bigint,
  approval_id bigint,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT audit_log_pkey PRIMARY KEY (id)
);
CREATE INDEX audit_log_reveals ON audit_log USING btree (id) WHERE action = ANY (ARRAY['account.reveal'::text, 'order.reveal'::text]);
CREATE INDEX audit_log_subject ON audit_log USING btree (subject, id DESC);
CREATE INDEX audit_log_tx ON audit_log USING btree (tx_id);
CREATE INDEX audit_log_user ON audit_log USING btree (user_id, id DESC);

CREATE TABLE audit_spans (
  first bigint NOT NULL,
  last bigint NOT NULL,
  from_tx bigint NOT NULL,
  to_tx bigint NOT NULL,
  row_count integer NOT NULL,
  CONSTRAINT audit_spans_pkey PRIMARY KEY (first),
  CONSTRAINT audit_spans_check CHECK (last >= first AND to_tx > from_tx AND row_count >= 0)
);

CREATE TABLE bank_headers (
  header text NOT NULL,
  bank text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  created_by bigint,
  CONSTRAINT bank_headers_pkey PRIMARY KEY (header),
  CONSTRAINT bank_headers_bank_check CHECK (length(bank) >= 1 AND length(bank) <= 64),
  CONSTRAINT bank_headers_header_check CHECK (header ~ '^[A-Z0-9]{3,12}$'::text),
  CONSTRAINT bank_headers_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id)
);

CREATE TABLE bank_statement_lines (
  statement_id bigint NOT NULL,
  place integer NOT NULL,
  "row" integer,
  day date NOT NULL,
  narration text NOT NULL,
  reference text,
  direction text NOT NULL,
  amount bigint NOT NULL,
  balance bigint,
  outcome text NOT NULL,
  message_id bigint,
  order_id bigint,
  CONSTRAINT bank_statement_lines_pkey PRIMARY KEY (statement_id, place),
  CONSTRAINT bank_statement_lines_amount_check CHECK (amount > 0),
  CONSTRAINT bank_statement_lines_direction_check CHECK (direction = ANY (ARRAY['credit'::text, 'debit'::text])),
  CONSTRAINT bank_statement_lines_outcome_check CHECK (outcome = ANY (ARRAY['agrees'::text, 'amountDiffers'::text, 'missingHere'::text, 'missingAtBank'::text])),
  CONSTRAINT bank_statement_lines_statement_id_fkey FOREIGN KEY (statement_id) REFERENCES bank_statements(id)
);

CREATE TABLE bank_statements (
  id bigint NOT NULL,
  account_id bigint NOT NULL,
  file_name text NOT NULL,
  sha256 bytea NOT NULL,
  from_day date NOT NULL,
  to_day date NOT NULL,
  created_at timestamp with time zone NOT NULL,
  created_by bigint,
  CONSTRAINT bank_statements_pkey PRIMARY KEY (id),
  CONSTRAINT bank_statements_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  CONSTRAINT bank_statements_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id)
);
CREATE INDEX bank_statements_account ON bank_statements USING btree (account_id, id DESC);

CREATE TABLE beneficiaries (
  id bigint NOT NULL,
  merchant_id bigint NOT NULL,
  approval_id bigint NOT NULL,
  name text NOT NULL,
  bank text,
  account text,
  ifsc text,
  vpa text,
  approved_at timestamp with time zone NOT NULL,
  removed_at timestamp with time zone,
  CONSTRAINT beneficiaries_pkey PRIMARY KEY (id),
  CONSTRAINT beneficiaries_approval_id_key UNIQUE (approval_id),
  CONSTRAINT beneficiaries_merchant_id_id_key UNIQUE (merchant_id, id),
  CONSTRAINT beneficiaries_check CHECK (removed_at >= approved_at),
  CONSTRAINT beneficiaries_name_check CHECK (length(name) >= 1 AND length(name) <= 128),
  CONSTRAINT beneficiary_is_paid_one_way CHECK (vpa IS NULL AND num_nonnulls(bank, account, ifsc) = 3 OR vpa IS NOT NULL AND num_nonnulls(bank, account, ifsc) = 0),
  CONSTRAINT beneficiaries_approval_id_fkey FOREIGN KEY (approval_id) REFERENCES approvals(id),
  CONSTRAINT beneficiaries_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id)
);
CREATE UNIQUE INDEX beneficiaries_once ON beneficiaries USING btree (merchant_id, COALESCE(vpa, (ifsc || ' '::text) || account)) WHERE removed_at IS NULL;
CREATE CONSTRAINT TRIGGER beneficiary_is_approved AFTER INSERT ON beneficiaries DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION beneficiary_is_approved();

CREATE TABLE bot_fund_records (
  group_id bigint NOT NULL,
  day date NOT NULL,
  CONSTRAINT bot_fund_records_pkey PRIMARY KEY (group_id, day),
  CONSTRAINT bot_fund_records_group_id_fkey FOREIGN KEY (group_id) REFERENCES bot_groups(id) ON DELETE CASCADE
);

CREATE TABLE bot_groups (
  id bigint NOT NULL,
  bot text NOT NULL,
  chat_id bigint NOT NULL,
  title text NOT NULL,
  merchant_id bigint,
  supplier_id bigint,
  kinds text[] NOT NULL,
  sender_ids bigint[] NOT NULL,
  per_minute smallint NOT NULL,
  quiet_from smallint,
  quiet_to smallint,
  locale text NOT NULL,
  enabled boolean NOT NULL,
  paused_until timestamp with time zone,
  last_error text,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT bot_groups_pkey PRIMARY KEY (id),
  CONSTRAINT bot_groups_bot_chat_id_key UNIQUE (bot, chat_id),
  CONSTRAINT bot_groups_bot_check CHECK (bot = ANY (ARRAY['alert'::text, 'transfer'::text])),
  CONSTRAINT bot_groups_per_minute_check CHECK (per_minute >= 1 AND per_minute <= 20),
  CONSTRAINT bot_groups_quiet_from_check CHECK (quiet_from >= 0 AND quiet_from <= 1439),
  CONSTRAINT bot_groups_quiet_to_check CHECK (quiet_to >= 0 AND quiet_to <= 1439),
  CONSTRAINT bot_groups_title_check CHECK (length(title) >= 1 AND length(title) <= 128),
  CONSTRAINT of_one_party CHECK (merchant_id IS NULL OR supplier_id IS NULL),
  CONSTRAINT quiet_is_a_span CHECK ((quiet_from IS NULL) = (quiet_to IS NULL) AND quiet_from <> quiet_to),
  CONSTRAINT transfers_need_party_and_senders CHECK (bot <> 'transfer'::text OR (merchant_id IS NOT NULL OR supplier_id IS NOT NULL) AND cardinality(sender_ids) > 0),
  CONSTRAINT bot_groups_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  CONSTRAINT bot_groups_supplier_id_fkey FOREIGN KEY (supplier_id) REFERENCES suppliers(id)
);

CREATE TABLE bot_messages (
  id bigint NOT NULL,
  bot text NOT NULL,
  group_id bigint NOT NULL,
  kind text NOT NULL,
  alert_id bigint,
  edits_id bigint,
  body text,
  urgency smallint NOT NULL,
  state text NOT NULL,
  due_at timestamp with time zone NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  last_error text,
  token uuid,
  leased_until timestamp with time zone,
  is_summed boolean DEFAULT false NOT NULL,
  message_id bigint,
  created_at timestamp with time zone NOT NULL,
  sent_at timestamp with time zone,
  CONSTRAINT bot_messages_pkey PRIMARY KEY (id),
  CONSTRAINT alerts_have_one CHECK ((kind = ANY (ARRAY['alert'::text, 'reminder'::text, 'edit'::text])) = (alert_id IS NOT NULL)),
  CONSTRAINT bot_messages_bot_check CHECK (bot = ANY (ARRAY['alert'::text, 'transfer'::text])),
  CONSTRAINT bot_messages_kind_check CHECK (kind = ANY (ARRAY['alert'::text, 'reminder'::text, 'edit'::text, 'text'::text, 'fundRecord'::text])),
  CONSTRAINT bot_messages_last_error_check CHECK (length(last_error) <= 300),
  CONSTRAINT bot_messages_state_check CHECK (state = ANY (ARRAY['waiting'::text, 'sent'::text, 'dropped'::text])),
  CONSTRAINT sent_at_some_time CHECK ((state = 'sent'::text) = (sent_at IS NOT NULL)),
  CONSTRAINT bot_messages_alert_id_fkey FOREIGN KEY (alert_id) REFERENCES alerts(id),
  CONSTRAINT bot_messages_edits_id_fkey FOREIGN KEY (edits_id) REFERENCES bot_messages(id) ON DELETE CASCADE,
  CONSTRAINT bot_messages_group_id_fkey FOREIGN KEY (group_id) REFERENCES bot_groups(id) ON DELETE CASCADE
);
CREATE INDEX bot_messages_alert ON bot_messages USING btree (alert_id) WHERE alert_id IS NOT NULL;
CREATE INDEX bot_messages_sent ON bot_messages USING btree (group_id, sent_at) WHERE state = 'sent'::text;
CREATE INDEX bot_messages_waiting ON bot_messages USING btree (group_id, urgency, id) WHERE state = 'waiting'::text;

CREATE TABLE bot_states (
  bot text NOT NULL,
  username text,
  update_id bigint DEFAULT 0 NOT NULL,
  webhook_url text,
  polled_at timestamp with time zone,
  updated_at timestamp with time zone,
  last_error text,
  paused_until timestamp with time zone,
  telegram_id bigint,
  CONSTRAINT bot_states_pkey PRIMARY KEY (bot),
  CONSTRAINT bot_states_bot_check CHECK (bot = ANY (ARRAY['alert'::text, 'transfer'::text]))
);

CREATE TABLE bot_unknown_chats (
  id bigint NOT NULL,
  bot text NOT NULL,
  chat_id bigint NOT NULL,
  title text NOT NULL,
  count integer NOT NULL,
  first_at timestamp with time zone NOT NULL,
  last_at timestamp with time zone NOT NULL,
  CONSTRAINT bot_unknown_chats_pkey PRIMARY KEY (id),
  CONSTRAINT bot_unknown_chats_bot_chat_id_key UNIQUE (bot, chat_id)
);

CREATE TABLE bot_unknown_senders (
  id bigint NOT NULL,
  group_id bigint NOT NULL,
  sender_id bigint NOT NULL,
  name text NOT NULL,
  count integer NOT NULL,
  first_at timestamp with time zone NOT NULL,
  last_at timestamp with time zone NOT NULL,
  CONSTRAINT bot_unknown_senders_pkey PRIMARY KEY (id),
  CONSTRAINT bot_unknown_senders_group_id_sender_id_key UNIQUE (group_id, sender_id),
  CONSTRAINT bot_unknown_senders_group_id_fkey FOREIGN KEY (group_id) REFERENCES bot_groups(id) ON DELETE CASCADE
);

CREATE TABLE bot_updates (
  bot text NOT NULL,
  update_id bigint NOT NULL,
  received_at timestamp with time zone NOT NULL,
  CONSTRAINT bot_updates_pkey PRIMARY KEY (bot, update_id)
);
CREATE INDEX bot_updates_received ON bot_updates USING btree (received_at);

CREATE TABLE callback_attempts (
  id bigint NOT NULL,
  callback_id bigint NOT NULL,
  order_id bigint NOT NULL,
  url text NOT NULL,
  http_method text NOT NULL,
  request text,
  signed text,
  status integer,
  answer text,
  error text,
  system_flag text,
  duration_ms integer NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT callback_attempts_pkey PRIMARY KEY (id),
  CONSTRAINT callback_attempts_check CHECK (num_nonnulls(request, signed) = 1)
) PARTITION BY RANGE (id);
CREATE INDEX callback_attempts_callback ON ONLY callback_attempts USING btree (callback_id);

CREATE TABLE callback_leases (
  claim bigint NOT NULL,
  merchant_id bigint NOT NULL,
  callback_ids bigint[] NOT NULL,
  until timestamp with time zone NOT NULL,
  CONSTRAINT callback_leases_pkey PRIMARY KEY (claim, merchant_id)
);

CREATE TABLE callback_queue (
  callback_id bigint NOT NULL,
  order_id bigint NOT NULL,
  merchant_id bigint NOT NULL,
  place integer NOT NULL,
  next_at timestamp with time zone NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  attempts_before integer DEFAULT 0 NOT NULL,
  CONSTRAINT callback_queue_pkey PRIMARY KEY (callback_id)
)
WITH (autovacuum_vacuum_scale_factor=0.01, autovacuum_vacuum_threshold=10000, vacuum_index_cleanup=on);
CREATE INDEX callback_queue_due ON callback_queue USING btree (merchant_id, next_at, callback_id);

CREATE TABLE callbacks (
  id bigint NOT NULL,
  order_id bigint NOT NULL,
  merchant_id bigint NOT NULL,
  place integer NOT NULL,
  kind text NOT NULL,
  url text NOT NULL,
  transport text NOT NULL,
  fields json NOT NULL,
  given_up smallint,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT callbacks_pkey PRIMARY KEY (id),
  CONSTRAINT callbacks_given_up_check CHECK (given_up = ANY (ARRAY[2, 3])),
  CONSTRAINT callbacks_kind_check CHECK (kind = ANY (ARRAY['paid'::text, 'manual'::text, 'timeout'::text, 'reversed'::text, 'payout'::text])),
  CONSTRAINT callbacks_place_check CHECK (place > 0),
  CONSTRAINT callbacks_transport_check CHECK (transport = ANY (ARRAY['json'::text, 'form'::text, 'query'::text]))
);
CREATE INDEX callbacks_given_up ON callbacks USING btree (id) WHERE given_up = 2;
CREATE UNIQUE INDEX callbacks_order ON callbacks USING btree (order_id, place);

CREATE TABLE chain_accounts (
  account_id bigint NOT NULL,
  changed_at timestamp with time zone NOT NULL,
  CONSTRAINT chain_accounts_pkey PRIMARY KEY (account_id),
  CONSTRAINT chain_accounts_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);

CREATE TABLE chain_alerts (
  message_id bigint NOT NULL,
  account_id bigint NOT NULL,
  credit_id bigint NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT chain_alerts_pkey PRIMARY KEY (message_id),
  CONSTRAINT chain_alerts_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);

CREATE TABLE chain_gaps (
  id bigint NOT NULL,
  account_id bigint NOT NULL,
  tail_id bigint NOT NULL,
  head_id bigint NOT NULL,
  delta bigint NOT NULL,
  from_minute integer NOT NULL,
  to_minute integer NOT NULL,
  state text NOT NULL,
  opened_at timestamp with time zone NOT NULL,
  closed_at timestamp with time zone,
  asked_at timestamp with time zone,
  alerted_at timestamp with time zone,
  CONSTRAINT chain_gaps_pkey PRIMARY KEY (id),
  CONSTRAINT chain_gaps_check CHECK ((state = 'open'::text) = (closed_at IS NULL)),
  CONSTRAINT chain_gaps_check1 CHECK (from_minute <= to_minute),
  CONSTRAINT chain_gaps_delta_check CHECK (delta <> 0),
  CONSTRAINT chain_gaps_state_check CHECK (state = ANY (ARRAY['open'::text, 'patched'::text, 'closed'::text])),
  CONSTRAINT chain_gaps_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);
CREATE UNIQUE INDEX chain_gaps_live ON chain_gaps USING btree (account_id, tail_id, head_id) WHERE state <> 'closed'::text;
CREATE INDEX chain_gaps_open ON chain_gaps USING btree (account_id) WHERE state = 'open'::text;

CREATE TABLE chain_holds (
  message_id bigint NOT NULL,
  account_id bigint NOT NULL,
  order_id bigint NOT NULL,
  evidence text NOT NULL,
  held_at timestamp with time zone NOT NULL,
  until timestamp with time zone NOT NULL,
  tried_at timestamp with time zone,
  CONSTRAINT chain_holds_pkey PRIMARY KEY (message_id),
  CONSTRAINT chain_holds_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);
CREATE INDEX chain_holds_order ON chain_holds USING btree (order_id);
CREATE INDEX chain_holds_overdue ON chain_holds USING btree (account_id) WHERE tried_at IS NOT NULL;
CREATE INDEX chain_holds_waiting ON chain_holds USING btree (account_id) WHERE tried_at IS NULL;

CREATE TABLE chain_leak_checks (
  is_only boolean DEFAULT true NOT NULL,
  last_at timestamp with time zone NOT NULL,
  CONSTRAINT chain_leak_checks_pkey PRIMARY KEY (is_only),
  CONSTRAINT chain_leak_checks_is_only_check CHECK (is_only)
);

CREATE TABLE chain_nodes (
  account_id bigint NOT NULL,
  id bigint NOT NULL,
  kind text NOT NULL,
  patch_id bigint,
  amount bigint NOT NULL,
  balance bigint NOT NULL,
  balance_before bigint GENERATED ALWAYS AS (balance - amount) STORED NOT NULL,
  minute integer NOT NULL,
  place integer NOT NULL,
  is_coarse boolean NOT NULL,
  is_surplus boolean NOT NULL,
  is_fork boolean NOT NULL,
  state text NOT NULL,
  previous_id bigint,
  next_id bigint,
  CONSTRAINT chain_nodes_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT chain_nodes_amount_check CHECK (amount <> 0),
  CONSTRAINT chain_nodes_check CHECK ((kind = 'patch'::text) = (patch_id IS NOT NULL)),
  CONSTRAINT chain_nodes_check1 CHECK (previous_id <> id AND next_id <> id),
  CONSTRAINT chain_nodes_kind_check CHECK (kind = ANY (ARRAY['message'::text, 'inferred'::text, 'patch'::text])),
  CONSTRAINT chain_nodes_state_check CHECK (state = ANY (ARRAY['linked'::text, 'patched'::text, 'inferred'::text, 'orphan'::text, 'fork'::text, 'repeat'::text, 'pending'::text])),
  CONSTRAINT chain_nodes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);
CREATE INDEX chain_nodes_balance ON chain_nodes USING btree (account_id, balance, minute);
CREATE INDEX chain_nodes_before ON chain_nodes USING btree (account_id, balance_before, minute);
CREATE INDEX chain_nodes_position ON chain_nodes USING btree (account_id, minute, place);
CREATE INDEX chain_nodes_suspect ON chain_nodes USING btree (account_id, minute) WHERE state = ANY (ARRAY['orphan'::text, 'fork'::text, 'pending'::text]);

CREATE TABLE chain_patches (
  id bigint NOT NULL,
  gap_id bigint NOT NULL,
  account_id bigint NOT NULL,
  kind text NOT NULL,
  amount bigint NOT NULL,
  order_ids bigint[] DEFAULT '{}'::bigint[] NOT NULL,
  reason text,
  evidence jsonb DEFAULT '{}'::jsonb NOT NULL,
  state text NOT NULL,
  author_id bigint,
  approved_by bigint,
  created_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone,
  ended_by bigint,
  end_reason text,
  CONSTRAINT chain_patches_pkey PRIMARY KEY (id),
  CONSTRAINT chain_patches_amount_check CHECK (amount <> 0),
  CONSTRAINT chain_patches_check CHECK ((state = ANY (ARRAY['proposed'::text, 'live'::text])) = (ended_at IS NULL)),
  CONSTRAINT chain_patches_check1 CHECK (author_id IS NULL OR reason IS NOT NULL),
  CONSTRAINT chain_patches_kind_check CHECK (kind = ANY (ARRAY['late-message'::text, 'statement-line'::text, 'order-supplement'::text, 'payout'::text, 'charge'::text, 'opening'::text, 'operator'::text])),
  CONSTRAINT chain_patches_state_check CHECK (state = ANY (ARRAY['proposed'::text, 'live'::text, 'superseded'::text, 'withdrawn'::text, 'dropped'::text])),
  CONSTRAINT chain_patches_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  CONSTRAINT chain_patches_approved_by_fkey FOREIGN KEY (approved_by) REFERENCES users(id),
  CONSTRAINT chain_patches_author_id_fkey FOREIGN KEY (author_id) REFERENCES users(id),
  CONSTRAINT chain_patches_ended_by_fkey FOREIGN KEY (ended_by) REFERENCES users(id),
  CONSTRAINT chain_patches_gap_id_fkey FOREIGN KEY (gap_id) REFERENCES chain_gaps(id)
);
CREATE INDEX chain_patches_account ON chain_patches USING btree (account_id, id DESC);
CREATE UNIQUE INDEX chain_patches_live ON chain_patches USING btree (gap_id) WHERE state = 'live'::text;
CREATE INDEX chain_patches_orders ON chain_patches USING gin (order_ids) WHERE state = 'live'::text;
CREATE UNIQUE INDEX chain_patches_proposed ON chain_patches USING btree (gap_id) WHERE state = 'proposed'::text;

CREATE TABLE clear_requests (
  approval_id bigint NOT NULL,
  as_of pg_snapshot NOT NULL,
  CONSTRAINT clear_requests_pkey PRIMARY KEY (approval_id),
  CONSTRAINT clear_requests_approval_id_fkey FOREIGN KEY (approval_id) REFERENCES approvals(id)
);

CREATE TABLE collection_orders (
  id bigint NOT NULL,
  merchant_id bigint NOT NULL,
  mch_order_no text NOT NULL,
  product_id integer NOT NULL,
  currency text NOT NULL,
  amount bigint NOT NULL,
  payable bigint,
  received bigint,
  status smallint NOT NULL,
  stage smallint GENERATED ALWAYS AS (
CASE status
    WHEN 6 THEN 3
    ELSE status::integer
END) STORED NOT NULL,
  supplement_status smallint DEFAULT 0 NOT NULL,
  mark smallint DEFAULT 0 NOT NULL,
  frozen boolean DEFAULT false NOT NULL,
  legal_hold boolean DEFAULT false NOT NULL,
  supplier_id bigint,
  account_id bigint,
  identify_code text NOT NULL,
  client_ip text,
  user_name text,
  payer_utr text,
  utr text,
  notify_url text NOT NULL,
  return_url text,
  subject text,
  body text,
  param1 text,
  param2 text,
  merchant_rate_ppm integer NOT NULL,
  merchant_fixed_fee bigint NOT NULL,
  fee bigint,
  supplier_commission bigint,
  agent_commission bigint,
  allocated_at timestamp with time zone,
  expires_at timestamp with time zone,
  paid_at timestamp with time zone,
  reversed_at timestamp with time zone,
  told_at timestamp with time zone,
  told_attempt integer,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT collection_orders_pkey PRIMARY KEY (id),
  CONSTRAINT collection_legal_hold_freezes CHECK (frozen OR NOT legal_hold),
  CONSTRAINT collection_orders_amount_check CHECK (amount > 0),
  CONSTRAINT collection_orders_check CHECK (payable >= amount),
  CONSTRAINT collection_orders_check1 CHECK ((told_at IS NULL) = (told_attempt IS NULL)),
  CONSTRAINT collection_orders_check2 CHECK ((status = ANY (ARRAY[3, 4, 6])) = (received IS NOT NULL)),
  CONSTRAINT collection_orders_check3 CHECK ((received IS NULL) = (paid_at IS NULL)),
  CONSTRAINT collection_orders_check4 CHECK (status <> 1 OR account_id IS NOT NULL),
  CONSTRAINT collection_orders_mark_check CHECK (mark >= 0 AND mark <= 4),
  CONSTRAINT collection_orders_received_check CHECK (received > 0),
  CONSTRAINT collection_orders_status_check CHECK (status >= 0 AND status <= 6),
  CONSTRAINT collection_orders_supplement_status_check CHECK (supplement_status = ANY (ARRAY[0, 1]))
) PARTITION BY RANGE (id);
CREATE INDEX collection_orders_amount ON ONLY collection_orders USING btree (amount, id DESC);
CREATE INDEX collection_orders_claimed ON ONLY collection_orders USING btree (id DESC) WHERE (stage = ANY (ARRAY[1, 2])) AND (payer_utr IS NOT NULL OR mark = 3);
CREATE INDEX collection_orders_description ON ONLY collection_orders USING gin (subject gin_trgm_ops, body gin_trgm_ops) WHERE subject IS NOT NULL OR body IS NOT NULL;
CREATE INDEX collection_orders_frozen ON ONLY collection_orders USING btree (id) WHERE frozen;
CREATE INDEX collection_orders_identify ON ONLY collection_orders USING btree (identify_code);
CREATE INDEX collection_orders_ip ON ONLY collection_orders USING btree (client_ip, id DESC) WHERE client_ip IS NOT NULL;
CREATE INDEX collection_orders_mark ON ONLY collection_orders USING btree (mark, id DESC) WHERE mark <> 0;
CREATE INDEX collection_orders_merchant ON ONLY collection_orders USING btree (merchant_id, id DESC);
CREATE INDEX collection_orders_paid_at ON ONLY collection_orders USING brin (paid_at) WITH (autosummarize='on');
CREATE INDEX collection_orders_payer ON ONLY collection_orders USING gin (user_name gin_trgm_ops) WHERE user_name IS NOT NULL;
CREATE INDEX collection_orders_product ON ONLY collection_orders USING btree (product_id, id DESC);
CREATE INDEX collection_orders_received ON ONLY collection_orders USING btree (received, id DESC) WHERE received IS NOT NULL;
CREATE INDEX collection_orders_reversed ON ONLY collection_orders USING btree (id DESC) WHERE reversed_at IS NOT NULL;
CREATE INDEX collection_orders_stage ON ONLY collection_orders USING btree (stage, id DESC);
CREATE INDEX collection_orders_supplemented ON ONLY collection_orders USING btree (id DESC) WHERE supplement_status = 1;
CREATE INDEX collection_orders_supplier ON ONLY collection_orders USING btree (supplier_id, id DESC) INCLUDE (account_id);
CREATE INDEX collection_orders_timed_out ON ONLY collection_orders USING btree (account_id, id DESC) WHERE stage = 2;
CREATE INDEX collection_orders_usdt ON ONLY collection_orders USING btree (payable, id DESC) WHERE currency = 'USDT'::text;
CREATE INDEX collection_orders_utr ON ONLY collection_orders USING btree (utr) WHERE utr IS NOT NULL;
ALTER TABLE collection_orders ALTER COLUMN user_name SET STATISTICS 1000;
ALTER TABLE collection_orders ALTER COLUMN subject SET STATISTICS 1000;
ALTER TABLE collection_orders ALTER COLUMN body SET STATISTICS 1000;
CREATE TRIGGER statistics_changed AFTER UPDATE ON collection_orders REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_collection_changed();
CREATE TRIGGER statistics_created AFTER INSERT ON collection_orders REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_collection_created();

CREATE TABLE company_identities (
  user_id bigint NOT NULL,
  issuer text NOT NULL,
  subject text NOT NULL,
  linked_at timestamp with time zone NOT NULL,
  CONSTRAINT company_identities_pkey PRIMARY KEY (user_id),
  CONSTRAINT company_identities_issuer_subject_key UNIQUE (issuer, subject),
  CONSTRAINT company_identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

CREATE TABLE company_visits (
  token_hash bytea NOT NULL,
  verifier text NOT NULL,
  nonce text NOT NULL,
  session_id bigint,
  user_id bigint,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT company_visits_pkey PRIMARY KEY (token_hash),
  CONSTRAINT company_visits_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

CREATE TABLE cooling_amounts (
  account_id bigint NOT NULL,
  payable bigint NOT NULL,
  order_id bigint NOT NULL,
  until timestamp with time zone NOT NULL,
  remembered_until timestamp with time zone NOT NULL,
  bare_at timestamp with time zone,
  stated_at timestamp with time zone,
  unpaid_at timestamp with time zone,
  awaiting_ids bigint[] DEFAULT '{}'::bigint[] NOT NULL,
  CONSTRAINT cooling_amounts_pkey PRIMARY KEY (account_id, payable),
  CONSTRAINT cooling_amounts_check CHECK (remembered_until >= until)
);
CREATE INDEX cooling_amounts_remembered ON cooling_amounts USING btree (remembered_until);

CREATE TABLE delayed_messages (
  message_id bigint NOT NULL,
  account_id bigint NOT NULL,
  until timestamp with time zone NOT NULL,
  clock_behind_ms integer NOT NULL,
  CONSTRAINT delayed_messages_pkey PRIMARY KEY (message_id)
);
CREATE INDEX delayed_messages_account ON delayed_messages USING btree (account_id, until);
CREATE INDEX delayed_messages_until ON delayed_messages USING btree (until);

CREATE TABLE error_log (
  id bigint NOT NULL,
  user_id bigint NOT NULL,
  day date NOT NULL,
  kind text NOT NULL,
  code integer NOT NULL,
  message text NOT NULL,
  url text NOT NULL,
  stack text,
  user_agent text NOT NULL,
  fingerprint bytea NOT NULL,
  count integer DEFAULT 1 NOT NULL,
  first_at timestamp with time zone NOT NULL,
  last_at timestamp with time zone NOT NULL,
  CONSTRAINT error_log_pkey PRIMARY KEY (id),
  CONSTRAINT error_log_user_id_day_fingerprint_key UNIQUE (user_id, day, fingerprint),
  CONSTRAINT error_log_kind_check CHECK (kind = ANY (ARRAY['script'::text, 'ajax'::text])),
  CONSTRAINT error_log_message_check CHECK (length(message) <= 1000),
  CONSTRAINT error_log_stack_check CHECK (length(stack) <= 4000),
  CONSTRAINT error_log_url_check CHECK (length(url) <= 500),
  CONSTRAINT error_log_user_agent_check CHECK (length(user_agent) <= 300),
  CONSTRAINT error_log_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX error_log_user ON error_log USING btree (user_id, id DESC);

CREATE TABLE gateway_balances (
  account_id bigint NOT NULL,
  asked_at timestamp with time zone NOT NULL,
  amount bigint,
  told_at timestamp with time zone,
  CONSTRAINT gateway_balances_pkey PRIMARY KEY (account_id),
  CONSTRAINT gateway_balances_check CHECK ((amount IS NULL) = (told_at IS NULL)),
  CONSTRAINT gateway_balances_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);

CREATE TABLE gateway_events (
  account_id bigint NOT NULL,
  event_id text NOT NULL,
  event text NOT NULL,
  reference text,
  order_id bigint,
  outcome text,
  told integer DEFAULT 1 NOT NULL,
  received_at timestamp with time zone NOT NULL,
  CONSTRAINT gateway_events_pkey PRIMARY KEY (account_id, event_id),
  CONSTRAINT gateway_events_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);
CREATE INDEX gateway_events_newest ON gateway_events USING btree (account_id, received_at DESC);

CREATE TABLE given_back_days (
  supplier_id bigint NOT NULL,
  day date NOT NULL,
  payouts integer NOT NULL,
  CONSTRAINT given_back_days_pkey PRIMARY KEY (supplier_id, day),
  CONSTRAINT given_back_days_payouts_check CHECK (payouts > 0),
  CONSTRAINT given_back_days_supplier_id_fkey FOREIGN KEY (supplier_id) REFERENCES suppliers(id)
);

CREATE TABLE hosted_pages (
  order_id bigint NOT NULL,
  account_id bigint NOT NULL,
  state text NOT NULL,
  tries integer DEFAULT 1 NOT NULL,
  asked_at timestamp with time zone NOT NULL,
  pay_url text,
  reference text,
  reason text,
  query_at timestamp with time zone,
  CONSTRAINT hosted_pages_pkey PRIMARY KEY (order_id, account_id),
  CONSTRAINT hosted_pages_state_check CHECK (state = ANY (ARRAY['asking'::text, 'open'::text, 'refused'::text, 'failed'::text])),
  CONSTRAINT open_has_its_page CHECK ((state = 'open'::text) = (pay_url IS NOT NULL)),
  CONSTRAINT hosted_pages_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);
CREATE INDEX hosted_pages_due ON hosted_pages USING btree (query_at) WHERE query_at IS NOT NULL;

CREATE TABLE hosted_payments (
  order_id bigint NOT NULL,
  account_id bigint NOT NULL,
  amount bigint NOT NULL,
  utr text,
  by_question text,
  by_notice text,
  CONSTRAINT one_payment_per_notice UNIQUE (order_id, account_id, by_notice),
  CONSTRAINT one_payment_per_question UNIQUE (order_id, account_id, by_question),
  CONSTRAINT payment_was_told CHECK (by_question IS NOT NULL OR by_notice IS NOT NULL),
  CONSTRAINT hosted_payments_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);

CREATE TABLE inbox_messages (
  id bigint NOT NULL,
  user_id bigint NOT NULL,
  sender_id bigint,
  kind text NOT NULL,
  data jsonb NOT NULL,
  folder text DEFAULT 'unread'::text NOT NULL,
  moved_at timestamp with time zone NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT inbox_messages_pkey PRIMARY KEY (id),
  CONSTRAINT inbox_messages_folder_check CHECK (folder = ANY (ARRAY['unread'::text, 'readed'::text, 'trash'::text])),
  CONSTRAINT inbox_messages_sender_id_fkey FOREIGN KEY (sender_id) REFERENCES users(id),
  CONSTRAINT inbox_messages_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX inbox_messages_folder ON inbox_messages USING btree (user_id, folder, moved_at DESC, id DESC);

CREATE TABLE installation (
  id smallint NOT NULL,
  kind text NOT NULL,
  marked_at timestamp with time zone NOT NULL,
  CONSTRAINT installation_pkey PRIMARY KEY (id),
  CONSTRAINT installation_id_check CHECK (id = 1),
  CONSTRAINT installation_kind_check CHECK (kind = ANY (ARRAY['demo'::text, 'production'::text]))
);

CREATE TABLE invoice_lines (
  invoice_id bigint NOT NULL,
  fee_month date NOT NULL,
  direction text NOT NULL,
  product_id integer NOT NULL,
  fee bigint NOT NULL,
  tax bigint NOT NULL,
  CONSTRAINT invoice_lines_pkey PRIMARY KEY (invoice_id, fee_month, direction, product_id),
  CONSTRAINT invoice_lines_direction_check CHECK (direction = ANY (ARRAY['in'::text, 'out'::text])),
  CONSTRAINT invoice_lines_fee_check CHECK (fee <> 0),
  CONSTRAINT invoice_tax_is_part_of_fee CHECK (abs(tax) <= abs(fee) AND (tax = 0 OR (tax > 0) = (fee > 0))),
  CONSTRAINT invoice_lines_fee_month_fkey FOREIGN KEY (fee_month) REFERENCES invoice_months(month),
  CONSTRAINT invoice_lines_invoice_id_fkey FOREIGN KEY (invoice_id) REFERENCES invoices(id)
);

CREATE TABLE invoice_months (
  month date NOT NULL,
  tax_percent smallint NOT NULL,
  issuer text NOT NULL,
  issued_at timestamp with time zone NOT NULL,
  CONSTRAINT invoice_months_pkey PRIMARY KEY (month),
  CONSTRAINT invoice_months_issuer_check CHECK (issuer <> ''::text),
  CONSTRAINT invoice_months_month_check CHECK (EXTRACT(day FROM month) = 1::numeric),
  CONSTRAINT invoice_months_tax_percent_check CHECK (tax_percent >= 0 AND tax_percent <= 100)
);

CREATE TABLE invoices (
  id bigint NOT NULL,
  merchant_id bigint NOT NULL,
  merchant_name text NOT NULL,
  month date NOT NULL,
  currency text NOT NULL,
  year smallint NOT NULL,
  number integer NOT NULL,
  number_before integer GENERATED ALWAYS AS (NULLIF(number - 1, 0)) STORED,
  fee bigint NOT NULL,
  tax bigint NOT NULL,
  CONSTRAINT invoices_pkey PRIMARY KEY (id),
  CONSTRAINT invoices_merchant_id_month_currency_key UNIQUE (merchant_id, month, currency),
  CONSTRAINT invoices_year_number_key UNIQUE (year, number),
  CONSTRAINT invoices_currency_check CHECK (currency = ANY (ARRAY['INR'::text, 'KES'::text, 'USDT'::text])),
  CONSTRAINT invoices_number_check CHECK (number > 0),
  CONSTRAINT invoices_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  CONSTRAINT invoices_month_fkey FOREIGN KEY (month) REFERENCES invoice_months(month),
  CONSTRAINT invoices_year_number_before_fkey FOREIGN KEY (year, number_before) REFERENCES invoices(year, number)
);

CREATE TABLE ip_minutes (
  ip text NOT NULL,
  minute timestamp with time zone NOT NULL,
  orders integer NOT NULL,
  paid integer NOT NULL,
  merchants bigint[] NOT NULL,
  accounts bigint[] NOT NULL,
  names bigint[] NOT NULL,
  CONSTRAINT ip_minutes_pkey PRIMARY KEY (ip, minute)
);
CREATE INDEX ip_minutes_minute ON ip_minutes USING btree (minute);

CREATE TABLE ip_rules (
  id bigint NOT NULL,
  door text NOT NULL,
  effect text NOT NULL,
  subject text NOT NULL,
  network cidr NOT NULL,
  note text NOT NULL,
  expires_at timestamp with time zone,
  hits bigint DEFAULT 0 NOT NULL,
  last_hit_at timestamp with time zone,
  changed_by bigint NOT NULL,
  changed_at timestamp with time zone NOT NULL,
  CONSTRAINT ip_rules_pkey PRIMARY KEY (id),
  CONSTRAINT one_ip_rule_each UNIQUE (door, subject, network),
  CONSTRAINT ip_rules_door_check CHECK (door = ANY (ARRAY['console'::text, 'merchantApi'::text, 'monitorApi'::text, 'payPage'::text])),
  CONSTRAINT ip_rules_effect_check CHECK (effect = ANY (ARRAY['allow'::text, 'deny'::text])),
  CONSTRAINT ip_rules_note_check CHECK (length(note) <= 256),
  CONSTRAINT ip_rules_subject_check CHECK (subject ~ '^(anyone|role:[A-Za-z]+|(user|merchant):[0-9]+)$'::text),
  CONSTRAINT ip_rules_changed_by_fkey FOREIGN KEY (changed_by) REFERENCES users(id)
);

CREATE TABLE job_leases (
  name text NOT NULL,
  token uuid NOT NULL,
  leased_until timestamp with time zone NOT NULL,
  CONSTRAINT job_leases_pkey PRIMARY KEY (name)
);

CREATE TABLE job_runs (
  id bigint NOT NULL,
  job text NOT NULL,
  started_by bigint,
  started_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone,
  failure text,
  result jsonb,
  taken_at timestamp with time zone,
  CONSTRAINT job_runs_pkey PRIMARY KEY (id),
  CONSTRAINT job_runs_started_by_fkey FOREIGN KEY (started_by) REFERENCES users(id)
);
CREATE INDEX job_runs_newest ON job_runs USING btree (job, id DESC);

CREATE TABLE kyc_records (
  id bigint NOT NULL,
  subject_kind text NOT NULL,
  subject_id bigint NOT NULL,
  place integer DEFAULT 0 NOT NULL,
  verdict text NOT NULL,
  document_reference text NOT NULL,
  note text,
  submitted_by bigint NOT NULL,
  submitted_at timestamp with time zone NOT NULL,
  reviewed_by bigint,
  reviewed_at timestamp with time zone,
  expires_at timestamp with time zone,
  CONSTRAINT kyc_records_pkey PRIMARY KEY (id),
  CONSTRAINT kyc_records_check CHECK (reviewed_by <> submitted_by),
  CONSTRAINT kyc_records_check1 CHECK ((verdict = 'pending'::text) = (reviewed_by IS NULL)),
  CONSTRAINT kyc_records_subject_kind_check CHECK (subject_kind = ANY (ARRAY['merchant'::text, 'supplier'::text, 'account'::text])),
  CONSTRAINT kyc_records_verdict_check CHECK (verdict = ANY (ARRAY['pending'::text, 'approved'::text, 'rejected'::text])),
  CONSTRAINT kyc_records_reviewed_by_fkey FOREIGN KEY (reviewed_by) REFERENCES users(id),
  CONSTRAINT kyc_records_submitted_by_fkey FOREIGN KEY (submitted_by) REFERENCES users(id)
);
CREATE INDEX kyc_pending ON kyc_records USING btree (id) WHERE verdict = 'pending'::text;
CREATE INDEX kyc_subject ON kyc_records USING btree (subject_kind, subject_id, place DESC, id DESC);
CREATE CONSTRAINT TRIGGER allocation_pool_changed AFTER INSERT OR DELETE OR UPDATE ON kyc_records DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_allocation_pool_change();

CREATE TABLE ledger_accounts (
  id bigint NOT NULL,
  owner_kind text NOT NULL,
  owner_id bigint NOT NULL,
  currency text NOT NULL,
  bucket text NOT NULL,
  slot smallint DEFAULT 0 NOT NULL,
  balance bigint DEFAULT 0 NOT NULL,
  floor bigint,
  unproven bigint DEFAULT 0 NOT NULL,
  CONSTRAINT ledger_accounts_pkey PRIMARY KEY (id),
  CONSTRAINT ledger_accounts_owner_kind_owner_id_currency_bucket_slot_key UNIQUE (owner_kind, owner_id, currency, bucket, slot),
  CONSTRAINT balance_above_floor CHECK (floor IS NULL OR balance >= floor),
  CONSTRAINT ledger_accounts_currency_check CHECK (currency = ANY (ARRAY['INR'::text, 'KES'::text, 'USDT'::text])),
  CONSTRAINT ledger_accounts_owner_kind_check CHECK (owner_kind = ANY (ARRAY['merchant'::text, 'supplier'::text, 'platform'::text])),
  CONSTRAINT ledger_accounts_unproven_check CHECK (unproven >= 0)
);
CREATE INDEX ledger_accounts_pending ON ledger_accounts USING btree (slot) WHERE bucket = 'pending'::text;

CREATE TABLE ledger_entries (
  id bigint NOT NULL,
  tx_id bigint DEFAULT pg_current_xact_id()::text::bigint NOT NULL,
  posting_id bigint NOT NULL,
  account_id bigint NOT NULL,
  amount bigint NOT NULL,
  balance_after bigint NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT ledger_entries_pkey PRIMARY KEY (id),
  CONSTRAINT ledger_entries_amount_check CHECK (amount <> 0)
) PARTITION BY RANGE (id);
CREATE INDEX ledger_entries_account ON ONLY ledger_entries USING btree (account_id, id DESC);
CREATE INDEX ledger_entries_posting ON ONLY ledger_entries USING btree (posting_id);
CREATE INDEX ledger_entries_tx ON ONLY ledger_entries USING btree (tx_id);

CREATE TABLE list_choices (
  user_id bigint NOT NULL,
  list text NOT NULL,
  arrangement jsonb NOT NULL,
  default_view_id bigint,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT list_choices_pkey PRIMARY KEY (user_id, list),
  CONSTRAINT list_choices_default_view_id_fkey FOREIGN KEY (default_view_id) REFERENCES list_views(id) ON DELETE SET NULL,
  CONSTRAINT list_choices_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX list_choices_default ON list_choices USING btree (default_view_id) WHERE default_view_id IS NOT NULL;

CREATE TABLE list_views (
  id bigint NOT NULL,
  owner_id bigint NOT NULL,
  list text NOT NULL,
  name text NOT NULL,
  filters jsonb NOT NULL,
  arrangement jsonb NOT NULL,
  shared_roles text[] DEFAULT '{}'::text[] NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT list_views_pkey PRIMARY KEY (id),
  CONSTRAINT list_views_name_check CHECK (length(name) >= 1 AND length(name) <= 64),
  CONSTRAINT list_views_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id)
);
CREATE UNIQUE INDEX list_views_name ON list_views USING btree (owner_id, list, lower(name));
CREATE INDEX list_views_shared ON list_views USING btree (list) WHERE shared_roles <> '{}'::text[];

CREATE TABLE listed_names (
  id bigint NOT NULL,
  list_id bigint NOT NULL,
  reference text NOT NULL,
  names text[] NOT NULL,
  marks text[] NOT NULL,
  note text NOT NULL,
  added_by bigint NOT NULL,
  added_at timestamp with time zone NOT NULL,
  CONSTRAINT listed_names_pkey PRIMARY KEY (id),
  CONSTRAINT listed_names_list_id_reference_key UNIQUE (list_id, reference),
  CONSTRAINT listed_names_added_by_fkey FOREIGN KEY (added_by) REFERENCES users(id),
  CONSTRAINT listed_names_list_id_fkey FOREIGN KEY (list_id) REFERENCES name_lists(id)
);

CREATE TABLE maintenance_mode (
  is_only boolean DEFAULT true NOT NULL,
  begins_at timestamp with time zone NOT NULL,
  ends_at timestamp with time zone NOT NULL,
  texts jsonb NOT NULL,
  set_by bigint NOT NULL,
  set_at timestamp with time zone NOT NULL,
  CONSTRAINT maintenance_mode_pkey PRIMARY KEY (is_only),
  CONSTRAINT maintenance_mode_check CHECK (ends_at > begins_at),
  CONSTRAINT maintenance_mode_is_only_check CHECK (is_only),
  CONSTRAINT maintenance_mode_set_by_fkey FOREIGN KEY (set_by) REFERENCES users(id)
);

CREATE TABLE master_key_proof (
  id smallint NOT NULL,
  sealed bytea NOT NULL,
  marks bytea NOT NULL,
  CONSTRAINT master_key_proof_pkey PRIMARY KEY (id),
  CONSTRAINT master_key_proof_id_check CHECK (id = 1)
);

CREATE TABLE merchant_callers (
  ip text NOT NULL,
  merchant_id bigint NOT NULL,
  seen_at timestamp with time zone NOT NULL,
  CONSTRAINT merchant_callers_pkey PRIMARY KEY (ip, merchant_id)
);

CREATE TABLE merchant_nonces (
  merchant_id bigint NOT NULL,
  nonce text NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT merchant_nonces_pkey PRIMARY KEY (merchant_id, nonce),
  CONSTRAINT merchant_nonces_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id)
);
CREATE INDEX merchant_nonces_expiry ON merchant_nonces USING btree (expires_at);

CREATE TABLE merchant_orders (
  merchant_id bigint NOT NULL,
  mch_order_no text NOT NULL,
  order_id bigint NOT NULL,
  direction text NOT NULL,
  content_hash bytea NOT NULL,
  CONSTRAINT merchant_orders_pkey PRIMARY KEY (merchant_id, mch_order_no),
  CONSTRAINT merchant_orders_order_id_key UNIQUE (order_id),
  CONSTRAINT merchant_orders_direction_check CHECK (direction = ANY (ARRAY['in'::text, 'out'::text]))
);
CREATE INDEX merchant_orders_number ON merchant_orders USING btree (mch_order_no);

CREATE TABLE merchants (
  id bigint GENERATED ALWAYS AS IDENTITY (START WITH 10001) NOT NULL,
  user_id bigint NOT NULL,
  name text NOT NULL,
  enabled boolean DEFAULT true NOT NULL,
  frozen boolean DEFAULT false NOT NULL,
  legal_hold boolean DEFAULT false NOT NULL,
  sign_type text DEFAULT 'hmac-sha256-v2'::text NOT NULL,
  cancel_by_md5 boolean DEFAULT false NOT NULL,
  secret bytea NOT NULL,
  secret_shown_at timestamp with time zone,
  previous_secret bytea,
  previous_valid_until timestamp with time zone,
  callback_transport text,
  callbacks_paused boolean DEFAULT false NOT NULL,
  callback_waits integer[],
  calls_per_second integer,
  pay_in_ips text[] DEFAULT '{}'::text[] NOT NULL,
  payout_ips text[] DEFAULT '{}'::text[] NOT NULL,
  console_ips text[] DEFAULT '{}'::text[] NOT NULL,
  settlement_days smallint DEFAULT 0 NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT merchants_pkey PRIMARY KEY (id),
  CONSTRAINT merchants_user_id_key UNIQUE (user_id),
  CONSTRAINT merchant_hold_freezes CHECK (frozen OR NOT legal_hold),
  CONSTRAINT merchants_callback_transport_check CHECK (callback_transport = ANY (ARRAY['json'::text, 'form'::text, 'query'::text])),
  CONSTRAINT merchants_callback_waits_check CHECK (cardinality(callback_waits) >= 1 AND cardinality(callback_waits) <= 20 AND (0 <= ALL (callback_waits)) AND (86400 >= ALL (callback_waits))),
  CONSTRAINT merchants_calls_per_second_check CHECK (calls_per_second > 0),
  CONSTRAINT merchants_name_check CHECK (length(name) >= 1 AND length(name) <= 128),
  CONSTRAINT merchants_settlement_days_check CHECK (settlement_days >= 0 AND settlement_days <= 30),
  CONSTRAINT merchants_sign_type_check CHECK (sign_type = ANY (ARRAY['md5'::text, 'hmac-sha256'::text, 'hmac-sha256-v2'::text])),
  CONSTRAINT previous_secret_ends CHECK ((previous_secret IS NULL) = (previous_valid_until IS NULL)),
  CONSTRAINT merchants_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE CONSTRAINT TRIGGER allocation_pool_changed AFTER INSERT OR DELETE OR UPDATE ON merchants DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_allocation_pool_change();

CREATE TABLE message_fingerprints (
  account_id bigint NOT NULL,
  fingerprint text NOT NULL,
  message_id bigint NOT NULL,
  CONSTRAINT message_fingerprints_pkey PRIMARY KEY (account_id, fingerprint)
);

CREATE TABLE message_keys (
  monitor_id bigint NOT NULL,
  external_id text NOT NULL,
  message_id bigint NOT NULL,
  CONSTRAINT message_keys_pkey PRIMARY KEY (monitor_id, external_id)
);

CREATE TABLE message_matches (
  order_id bigint NOT NULL,
  message_id bigint NOT NULL,
  evidence text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT message_matches_pkey PRIMARY KEY (order_id),
  CONSTRAINT message_matches_message_id_key UNIQUE (message_id)
);

CREATE TABLE message_template_set (
  only_row boolean DEFAULT true NOT NULL,
  version bigint NOT NULL,
  CONSTRAINT message_template_set_pkey PRIMARY KEY (only_row),
  CONSTRAINT message_template_set_only_row_check CHECK (only_row)
);

CREATE TABLE message_template_versions (
  template_id text NOT NULL,
  version integer NOT NULL,
  template jsonb NOT NULL,
  created_at timestamp with time zone NOT NULL,
  created_by bigint,
  CONSTRAINT message_template_versions_pkey PRIMARY KEY (template_id, version),
  CONSTRAINT message_template_versions_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  CONSTRAINT message_template_versions_template_id_fkey FOREIGN KEY (template_id) REFERENCES message_templates(id)
);

CREATE TABLE message_templates (
  id text NOT NULL,
  version integer NOT NULL,
  template jsonb NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  updated_by bigint,
  CONSTRAINT message_templates_pkey PRIMARY KEY (id),
  CONSTRAINT message_templates_id_check CHECK (id ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text AND length(id) <= 64),
  CONSTRAINT message_templates_version_check CHECK (version > 0),
  CONSTRAINT message_templates_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES users(id)
);

CREATE TABLE messages (
  id bigint NOT NULL,
  monitor_id bigint NOT NULL,
  external_id text NOT NULL,
  kind text NOT NULL,
  sender text NOT NULL,
  text text NOT NULL,
  supplier_id bigint NOT NULL,
  account_id bigint,
  template_id text,
  bank text,
  direction text,
  currency text,
  amount bigint,
  balance bigint,
  account_tail text,
  utr text,
  payer text,
  remark text,
  bank_time timestamp with time zone,
  time_precision text,
  state text NOT NULL,
  reason text,
  order_id bigint,
  received_at timestamp with time zone NOT NULL,
  reported_at timestamp with time zone NOT NULL,
  CONSTRAINT messages_pkey PRIMARY KEY (id),
  CONSTRAINT messages_direction_check CHECK (direction = ANY (ARRAY['credit'::text, 'debit'::text])),
  CONSTRAINT messages_kind_check CHECK (kind = ANY (ARRAY['sms'::text, 'web'::text, 'usdt'::text])),
  CONSTRAINT messages_state_check CHECK (state = ANY (ARRAY['matched'::text, 'unmatched'::text, 'ambiguous'::text, 'held'::text, 'duplicate'::text, 'untrusted'::text, 'ignored'::text, 'unparsed'::text, 'settledOutside'::text]))
) PARTITION BY RANGE (id);
CREATE INDEX messages_account ON ONLY messages USING btree (account_id, id DESC);
CREATE INDEX messages_floats ON ONLY messages USING btree (account_id, id) WHERE balance IS NULL AND direction IS NOT NULL;
CREATE INDEX messages_lost ON ONLY messages USING btree (id DESC) WHERE direction = 'credit'::text AND (state = ANY (ARRAY['unmatched'::text, 'ambiguous'::text, 'held'::text, 'untrusted'::text]));
CREATE INDEX messages_open_amounts ON ONLY messages USING btree (account_id, amount, id) WHERE direction = 'credit'::text AND (state = ANY (ARRAY['unmatched'::text, 'ambiguous'::text, 'held'::text, 'untrusted'::text, 'settledOutside'::text]));
CREATE INDEX messages_open_debits ON ONLY messages USING btree (account_id, id) WHERE direction = 'debit'::text AND state = 'ignored'::text AND order_id IS NULL;
CREATE INDEX messages_order ON ONLY messages USING btree (order_id) WHERE order_id IS NOT NULL;
CREATE INDEX messages_state ON ONLY messages USING btree (state, id DESC);
CREATE INDEX messages_supplier ON ONLY messages USING btree (supplier_id, id DESC);
CREATE INDEX messages_unbound_credits ON ONLY messages USING btree (monitor_id, id) WHERE direction = 'credit'::text AND account_id IS NULL AND (state = ANY (ARRAY['ambiguous'::text, 'settledOutside'::text]));
CREATE INDEX messages_unbound_debits ON ONLY messages USING btree (monitor_id, id) WHERE direction = 'debit'::text AND state = 'ambiguous'::text AND reason = 'severalAccounts'::text;
CREATE INDEX messages_unstated ON ONLY messages USING btree (id DESC) WHERE balance IS NULL AND direction IS NOT NULL;
CREATE INDEX messages_utr ON ONLY messages USING btree (utr) WHERE utr IS NOT NULL;

CREATE TABLE monitor_commands (
  id bigint NOT NULL,
  monitor_id bigint NOT NULL,
  kind text NOT NULL,
  from_time timestamp with time zone,
  to_time timestamp with time zone,
  reason text NOT NULL,
  asked_at timestamp with time zone NOT NULL,
  asked_by bigint,
  first_given_at timestamp with time zone,
  CONSTRAINT monitor_commands_pkey PRIMARY KEY (id),
  CONSTRAINT monitor_commands_check CHECK ((kind = 'resend'::text) = (from_time IS NOT NULL AND to_time IS NOT NULL)),
  CONSTRAINT monitor_commands_check1 CHECK (from_time <= to_time),
  CONSTRAINT monitor_commands_kind_check CHECK (kind = ANY (ARRAY['resend'::text, 'refreshScript'::text])),
  CONSTRAINT monitor_commands_asked_by_fkey FOREIGN KEY (asked_by) REFERENCES users(id),
  CONSTRAINT monitor_commands_monitor_id_fkey FOREIGN KEY (monitor_id) REFERENCES monitors(id)
);
CREATE INDEX monitor_commands_monitor ON monitor_commands USING btree (monitor_id, id DESC);

CREATE TABLE monitor_log (
  id bigint NOT NULL,
  monitor_id bigint NOT NULL,
  phase text NOT NULL,
  message_id bigint,
  order_id bigint,
  detail jsonb DEFAULT '{}'::jsonb NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT monitor_log_pkey PRIMARY KEY (id),
  CONSTRAINT monitor_log_phase_check CHECK (phase = ANY (ARRAY['heartbeat'::text, 'received'::text, 'parsed'::text, 'placed'::text, 'matched'::text, 'held'::text, 'failed'::text, 'command'::text]))
) PARTITION BY RANGE (id);
CREATE INDEX monitor_log_monitor ON ONLY monitor_log USING btree (monitor_id, id DESC);

CREATE TABLE monitor_log_clearings (
  id bigint NOT NULL,
  up_to bigint NOT NULL,
  cleared_at timestamp with time zone NOT NULL,
  cleared_by bigint,
  CONSTRAINT monitor_log_clearings_pkey PRIMARY KEY (id),
  CONSTRAINT monitor_log_clearings_cleared_by_fkey FOREIGN KEY (cleared_by) REFERENCES users(id)
);

CREATE TABLE monitor_scripts (
  version text NOT NULL,
  body text NOT NULL,
  note text NOT NULL,
  live boolean DEFAULT false NOT NULL,
  created_at timestamp with time zone NOT NULL,
  created_by bigint,
  CONSTRAINT monitor_scripts_pkey PRIMARY KEY (version),
  CONSTRAINT monitor_scripts_body_check CHECK (length(body) <= 1000000),
  CONSTRAINT monitor_scripts_version_check CHECK (version ~ '^[A-Za-z0-9._-]{1,64}$'::text),
  CONSTRAINT monitor_scripts_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id)
);
CREATE UNIQUE INDEX monitor_scripts_live ON monitor_scripts USING btree (live) WHERE live;

CREATE TABLE monitors (
  id bigint GENERATED ALWAYS AS IDENTITY (START WITH 30001) NOT NULL,
  supplier_id bigint NOT NULL,
  name text NOT NULL,
  enabled boolean DEFAULT true NOT NULL,
  secret bytea NOT NULL,
  script_version text,
  last_seen_at timestamp with time zone,
  last_sequence bigint DEFAULT 0 NOT NULL,
  created_at timestamp with time zone,
  CONSTRAINT monitors_pkey PRIMARY KEY (id),
  CONSTRAINT monitors_supplier_id_fkey FOREIGN KEY (supplier_id) REFERENCES suppliers(id)
);

CREATE TABLE mpesa_results (
  key text NOT NULL,
  state text NOT NULL,
  receipt text,
  reason text,
  amount bigint,
  reported_at timestamp with time zone NOT NULL,
  CONSTRAINT mpesa_results_pkey PRIMARY KEY (key),
  CONSTRAINT mpesa_results_state_check CHECK (state = ANY (ARRAY['processing'::text, 'processed'::text, 'failed'::text]))
);

CREATE TABLE name_exemptions (
  entry_id bigint NOT NULL,
  name_key text NOT NULL,
  approved_by bigint NOT NULL,
  approved_at timestamp with time zone NOT NULL,
  CONSTRAINT name_exemptions_pkey PRIMARY KEY (entry_id, name_key),
  CONSTRAINT name_exemptions_approved_by_fkey FOREIGN KEY (approved_by) REFERENCES users(id),
  CONSTRAINT name_exemptions_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES listed_names(id)
);

CREATE TABLE name_hits (
  id bigint NOT NULL,
  entry_id bigint NOT NULL,
  list text NOT NULL,
  listed text NOT NULL,
  place text NOT NULL,
  subject text NOT NULL,
  name text NOT NULL,
  name_key text NOT NULL,
  by text NOT NULL,
  score smallint NOT NULL,
  is_near boolean NOT NULL,
  count integer NOT NULL,
  first_at timestamp with time zone NOT NULL,
  last_at timestamp with time zone NOT NULL,
  state text DEFAULT 'open'::text NOT NULL,
  decided_by bigint,
  decided_at timestamp with time zone,
  decide_reason text,
  bearer text DEFAULT ''::text NOT NULL,
  CONSTRAINT name_hits_pkey PRIMARY KEY (id),
  CONSTRAINT one_hit_each UNIQUE (place, entry_id, name_key, bearer),
  CONSTRAINT name_hits_by_check CHECK (by = ANY (ARRAY['name'::text, 'vpa'::text, 'account'::text, 'phone'::text, 'document'::text])),
  CONSTRAINT name_hits_place_check CHECK (place = ANY (ARRAY['collection'::text, 'payout'::text, 'claim'::text, 'send'::text, 'credit'::text, 'party'::text, 'account'::text, 'kyc'::text])),
  CONSTRAINT name_hits_state_check CHECK (state = ANY (ARRAY['open'::text, 'same'::text, 'other'::text])),
  CONSTRAINT name_hits_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES users(id)
);
CREATE INDEX name_hits_open ON name_hits USING btree (entry_id) WHERE state = 'open'::text AND NOT is_near;

CREATE TABLE name_list_version (
  id smallint NOT NULL,
  version bigint NOT NULL,
  screened bigint NOT NULL,
  CONSTRAINT name_list_version_pkey PRIMARY KEY (id),
  CONSTRAINT name_list_version_id_check CHECK (id = 1)
);

CREATE TABLE name_lists (
  id bigint NOT NULL,
  source text NOT NULL,
  format text NOT NULL,
  list_date date,
  imported_by bigint,
  imported_at timestamp with time zone,
  CONSTRAINT name_lists_pkey PRIMARY KEY (id),
  CONSTRAINT name_lists_source_key UNIQUE (source),
  CONSTRAINT name_lists_format_check CHECK (format = ANY (ARRAY['own'::text, 'csv'::text, 'un'::text, 'ofac'::text])),
  CONSTRAINT name_lists_source_check CHECK (length(source) >= 1 AND length(source) <= 64),
  CONSTRAINT name_lists_imported_by_fkey FOREIGN KEY (imported_by) REFERENCES users(id)
);

CREATE TABLE no_loss_hours (
  hour timestamp with time zone NOT NULL,
  currency text NOT NULL,
  evidence_count integer NOT NULL,
  evidence_amount bigint NOT NULL,
  credited_count integer NOT NULL,
  credited_amount bigint NOT NULL,
  notified_count integer NOT NULL,
  notified_amount bigint NOT NULL,
  acknowledged_count integer NOT NULL,
  acknowledged_amount bigint NOT NULL,
  residue_count integer NOT NULL,
  residue_amount bigint NOT NULL,
  closed_count integer NOT NULL,
  closed_amount bigint NOT NULL,
  previous_hash bytea NOT NULL,
  hash bytea NOT NULL,
  mark text NOT NULL,
  written_at timestamp with time zone NOT NULL,
  CONSTRAINT no_loss_hours_pkey PRIMARY KEY (hour, currency),
  CONSTRAINT no_loss_hours_hash_check CHECK (length(hash) = 32),
  CONSTRAINT no_loss_hours_previous_hash_check CHECK (length(previous_hash) = 32)
);
CREATE TRIGGER no_loss_hours_stay BEFORE DELETE OR UPDATE ON no_loss_hours FOR EACH ROW EXECUTE FUNCTION refuse_no_loss_change();

CREATE TABLE no_loss_lines (
  id bigint NOT NULL,
  hour timestamp with time zone NOT NULL,
  currency text NOT NULL,
  order_id bigint NOT NULL,
  paid_hour timestamp with time zone NOT NULL,
  kind text NOT NULL,
  amount bigint NOT NULL,
  credited bigint NOT NULL,
  holder text NOT NULL,
  CONSTRAINT no_loss_lines_pkey PRIMARY KEY (id),
  CONSTRAINT no_loss_lines_credited_check CHECK (credited <= 0),
  CONSTRAINT no_loss_lines_holder_check CHECK (holder = ANY (ARRAY['platform'::text, 'merchant'::text, 'desk'::text, 'superAdmin'::text, 'nobody'::text])),
  CONSTRAINT no_loss_lines_kind_check CHECK (kind = ANY (ARRAY['noEvidence'::text, 'notCredited'::text, 'creditDiffers'::text, 'notNotified'::text, 'notAcknowledged'::text, 'givenUp'::text, 'withdrawn'::text, 'noCallback'::text, 'late'::text, 'acknowledged'::text, 'reversed'::text])),
  CONSTRAINT no_loss_lines_hour_currency_fkey FOREIGN KEY (hour, currency) REFERENCES no_loss_hours(hour, currency)
);
CREATE INDEX no_loss_lines_hour ON no_loss_lines USING btree (hour, currency);
CREATE INDEX no_loss_lines_order ON no_loss_lines USING btree (order_id);
CREATE TRIGGER no_loss_lines_stay BEFORE DELETE OR UPDATE ON no_loss_lines FOR EACH ROW EXECUTE FUNCTION refuse_no_loss_change();

CREATE TABLE no_loss_open (
  order_id bigint NOT NULL,
  hour timestamp with time zone NOT NULL,
  currency text NOT NULL,
  amount bigint NOT NULL,
  kind text NOT NULL,
  CONSTRAINT no_loss_open_pkey PRIMARY KEY (order_id)
);

CREATE TABLE node_reports (
  slot smallint NOT NULL,
  name text NOT NULL,
  version text NOT NULL,
  role text NOT NULL,
  started_at timestamp with time zone NOT NULL,
  reported_at timestamp with time zone NOT NULL,
  lag_ms integer NOT NULL,
  longest_lag_ms integer NOT NULL,
  pool jsonb NOT NULL,
  loops jsonb NOT NULL,
  leases text[] NOT NULL,
  settings jsonb NOT NULL,
  CONSTRAINT node_reports_pkey PRIMARY KEY (slot)
);

CREATE TABLE node_slots (
  slot smallint NOT NULL,
  token uuid NOT NULL,
  leased_until timestamp with time zone NOT NULL,
  takes_calls boolean DEFAULT true NOT NULL,
  CONSTRAINT node_slots_pkey PRIMARY KEY (slot),
  CONSTRAINT node_slots_slot_check CHECK (slot >= 0 AND slot <= 1023)
);

CREATE TABLE order_changes (
  id bigint NOT NULL,
  order_id bigint NOT NULL,
  told boolean DEFAULT false NOT NULL
)
WITH (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=20000, vacuum_truncate=off);

CREATE TABLE order_events (
  id bigint NOT NULL,
  tx_id bigint DEFAULT pg_current_xact_id()::text::bigint NOT NULL,
  order_id bigint NOT NULL,
  kind text NOT NULL,
  from_status smallint,
  to_status smallint,
  actor_kind text NOT NULL,
  actor_id bigint,
  reason text,
  ip text,
  data jsonb DEFAULT '{}'::jsonb NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT order_events_pkey PRIMARY KEY (id),
  CONSTRAINT order_events_actor_kind_check CHECK (actor_kind = ANY (ARRAY['user'::text, 'merchant'::text, 'payer'::text, 'monitor'::text, 'system'::text]))
) PARTITION BY RANGE (id);
CREATE INDEX order_events_given_back ON ONLY order_events USING btree (id) WHERE kind = ANY (ARRAY['claimCancelled'::text, 'handedBack'::text]);
CREATE INDEX order_events_order ON ONLY order_events USING btree (order_id);
CREATE INDEX order_events_tx ON ONLY order_events USING btree (tx_id);

CREATE TABLE order_pictures (
  id bigint NOT NULL,
  order_id bigint NOT NULL,
  source text NOT NULL,
  mime text NOT NULL,
  bytes bytea NOT NULL,
  added_at timestamp with time zone NOT NULL,
  CONSTRAINT order_pictures_pkey PRIMARY KEY (id),
  CONSTRAINT order_pictures_bytes_check CHECK (length(bytes) >= 1 AND length(bytes) <= 524288),
  CONSTRAINT order_pictures_mime_check CHECK (mime = ANY (ARRAY['image/png'::text, 'image/jpeg'::text])),
  CONSTRAINT order_pictures_source_check CHECK (source = ANY (ARRAY['payer'::text, 'merchant'::text]))
);
CREATE INDEX order_pictures_order ON order_pictures USING btree (order_id);

CREATE TABLE order_sources (
  order_id bigint NOT NULL,
  day date NOT NULL,
  hour smallint NOT NULL,
  merchant_id bigint NOT NULL,
  currency text NOT NULL,
  amount bigint NOT NULL,
  received bigint,
  referrer text NOT NULL,
  device text NOT NULL,
  network text NOT NULL,
  band bigint NOT NULL,
  bank text NOT NULL,
  reached smallint NOT NULL,
  test boolean NOT NULL,
  stated_at timestamp with time zone,
  CONSTRAINT order_sources_pkey PRIMARY KEY (order_id),
  CONSTRAINT order_sources_reached_check CHECK (reached >= 0 AND reached <= 5)
)
WITH (fillfactor=80);
CREATE INDEX order_sources_network ON order_sources USING btree (network, order_id);
CREATE INDEX order_sources_referrer ON order_sources USING btree (referrer, order_id);
CREATE INDEX order_sources_unstated ON order_sources USING btree (order_id) WHERE received IS NOT NULL AND stated_at IS NULL;

CREATE TABLE order_visits (
  order_id bigint NOT NULL,
  opened_at timestamp with time zone,
  seen_at timestamp with time zone,
  referrer text,
  device text,
  CONSTRAINT order_visits_pkey PRIMARY KEY (order_id),
  CONSTRAINT order_visits_check CHECK (opened_at IS NOT NULL OR seen_at IS NOT NULL),
  CONSTRAINT order_visits_device_check CHECK (device = ANY (ARRAY['phone'::text, 'tablet'::text, 'desktop'::text]))
);

CREATE TABLE own_word_days (
  user_id bigint NOT NULL,
  day date NOT NULL,
  currency text NOT NULL,
  amount bigint NOT NULL,
  CONSTRAINT own_word_days_pkey PRIMARY KEY (user_id, day, currency),
  CONSTRAINT own_word_days_amount_check CHECK (amount >= 0),
  CONSTRAINT own_word_days_currency_check CHECK (currency = ANY (ARRAY['INR'::text, 'KES'::text, 'USDT'::text]))
);

CREATE TABLE party_members (
  user_id bigint NOT NULL,
  role text NOT NULL,
  merchant_id bigint,
  supplier_id bigint,
  party_role text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT party_members_pkey PRIMARY KEY (user_id),
  CONSTRAINT member_of_one CHECK (num_nonnulls(merchant_id, supplier_id) = 1),
  CONSTRAINT member_role_fits CHECK ((role = 'merchant'::text) = (merchant_id IS NOT NULL)),
  CONSTRAINT party_members_party_role_check CHECK (party_role = ANY (ARRAY['owner'::text, 'finance'::text, 'support'::text, 'developer'::text, 'readOnly'::text])),
  CONSTRAINT party_members_role_check CHECK (role = ANY (ARRAY['merchant'::text, 'supplier'::text])),
  CONSTRAINT member_is_user FOREIGN KEY (user_id, role) REFERENCES users(id, role),
  CONSTRAINT party_members_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  CONSTRAINT party_members_supplier_id_fkey FOREIGN KEY (supplier_id) REFERENCES suppliers(id)
);
CREATE INDEX party_members_merchant ON party_members USING btree (merchant_id) WHERE merchant_id IS NOT NULL;
CREATE INDEX party_members_supplier ON party_members USING btree (supplier_id) WHERE supplier_id IS NOT NULL;

CREATE TABLE passkey_challenges (
  challenge bytea NOT NULL,
  user_id bigint NOT NULL,
  session_id bigint,
  nonce text,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT passkey_challenges_pkey PRIMARY KEY (challenge),
  CONSTRAINT passkey_challenges_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

CREATE TABLE passkeys (
  id bigint NOT NULL,
  user_id bigint NOT NULL,
  credential_id bytea NOT NULL,
  public_key bytea NOT NULL,
  sign_count bigint NOT NULL,
  transports text[] NOT NULL,
  is_synced boolean NOT NULL,
  name text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  last_used_at timestamp with time zone,
  removed_at timestamp with time zone,
  CONSTRAINT passkeys_pkey PRIMARY KEY (id),
  CONSTRAINT passkeys_credential_id_key UNIQUE (credential_id),
  CONSTRAINT passkeys_name_check CHECK (length(name) >= 1 AND length(name) <= 64),
  CONSTRAINT passkeys_sign_count_check CHECK (sign_count >= 0),
  CONSTRAINT passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX passkeys_user ON passkeys USING btree (user_id) WHERE removed_at IS NULL;

CREATE TABLE password_links (
  id bigint NOT NULL,
  user_id bigint NOT NULL,
  approval_id bigint,
  asked_by bigint,
  given_to bigint,
  token_hash bytea,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  used_at timestamp with time zone,
  ended_at timestamp with time zone,
  CONSTRAINT password_links_pkey PRIMARY KEY (id),
  CONSTRAINT password_links_approval_id_key UNIQUE (approval_id),
  CONSTRAINT password_links_token_hash_key UNIQUE (token_hash),
  CONSTRAINT password_links_asked_by_fkey FOREIGN KEY (asked_by) REFERENCES users(id),
  CONSTRAINT password_links_given_to_fkey FOREIGN KEY (given_to) REFERENCES users(id),
  CONSTRAINT password_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE UNIQUE INDEX password_links_open ON password_links USING btree (user_id) WHERE used_at IS NULL AND ended_at IS NULL;

CREATE TABLE pay_script_calls (
  id bigint NOT NULL,
  script_id bigint NOT NULL,
  version integer NOT NULL,
  function text NOT NULL,
  account_id bigint,
  order_id bigint,
  tried_by bigint,
  input json NOT NULL,
  output json,
  fetches json NOT NULL,
  logs text[] NOT NULL,
  failure text,
  message text,
  line integer,
  duration_ms integer NOT NULL,
  CONSTRAINT pay_script_calls_pkey PRIMARY KEY (id),
  CONSTRAINT a_try_or_an_account CHECK ((account_id IS NULL) = (tried_by IS NOT NULL)),
  CONSTRAINT answered_or_failed CHECK ((output IS NULL) = (failure IS NOT NULL)),
  CONSTRAINT pay_script_calls_function_check CHECK (function = ANY (ARRAY['createOrder'::text, 'query'::text, 'parseNotify'::text, 'payout'::text])),
  CONSTRAINT pay_script_calls_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  CONSTRAINT pay_script_calls_script_id_version_fkey FOREIGN KEY (script_id, version) REFERENCES pay_script_versions(script_id, version),
  CONSTRAINT pay_script_calls_tried_by_fkey FOREIGN KEY (tried_by) REFERENCES users(id)
);
CREATE INDEX pay_script_calls_newest ON pay_script_calls USING btree (script_id, id DESC);
CREATE INDEX pay_script_calls_order ON pay_script_calls USING btree (order_id) WHERE order_id IS NOT NULL;

CREATE TABLE pay_script_versions (
  script_id bigint NOT NULL,
  version integer NOT NULL,
  code text NOT NULL,
  origins text[] NOT NULL,
  note text NOT NULL,
  created_by bigint NOT NULL,
  created_at timestamp with time zone NOT NULL,
  tried_at timestamp with time zone,
  released_at timestamp with time zone,
  CONSTRAINT pay_script_versions_pkey PRIMARY KEY (script_id, version),
  CONSTRAINT pay_script_versions_version_check CHECK (version > 0),
  CONSTRAINT released_is_tried CHECK (released_at IS NULL OR tried_at IS NOT NULL),
  CONSTRAINT pay_script_versions_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  CONSTRAINT pay_script_versions_script_id_fkey FOREIGN KEY (script_id) REFERENCES pay_scripts(id)
);

CREATE TABLE pay_scripts (
  id bigint GENERATED ALWAYS AS IDENTITY (START WITH 1) NOT NULL,
  name text NOT NULL,
  live_version integer,
  created_by bigint NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT pay_scripts_pkey PRIMARY KEY (id),
  CONSTRAINT pay_scripts_name_key UNIQUE (name),
  CONSTRAINT live_version_exists FOREIGN KEY (id, live_version) REFERENCES pay_script_versions(script_id, version),
  CONSTRAINT pay_scripts_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id)
);

CREATE TABLE payout_batch_orders (
  batch_id bigint NOT NULL,
  row_number smallint NOT NULL,
  order_id bigint NOT NULL,
  reference text NOT NULL,
  amount bigint NOT NULL,
  mode text NOT NULL,
  in_file boolean DEFAULT false NOT NULL,
  state text DEFAULT 'pending'::text NOT NULL,
  proposed text,
  proposed_utr text,
  proposed_reason text,
  proposed_file bytea,
  proposed_by bigint,
  proposed_by_supplier boolean DEFAULT false NOT NULL,
  bank_reference text,
  reason text,
  CONSTRAINT payout_batch_orders_pkey PRIMARY KEY (batch_id, row_number),
  CONSTRAINT payout_batch_orders_reference_key UNIQUE (reference),
  CONSTRAINT payout_batch_orders_amount_check CHECK (amount > 0),
  CONSTRAINT payout_batch_orders_proposed_check CHECK (proposed = ANY (ARRAY['completed'::text, 'failed'::text, 'reversed'::text, 'inProgress'::text])),
  CONSTRAINT payout_batch_orders_row_number_check CHECK (row_number >= 1 AND row_number <= 500),
  CONSTRAINT payout_batch_orders_state_check CHECK (state = ANY (ARRAY['pending'::text, 'completed'::text, 'failed'::text, 'reversed'::text, 'rejected'::text, 'returned'::text])),
  CONSTRAINT payout_batch_orders_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES payout_batches(id),
  CONSTRAINT payout_batch_orders_proposed_by_fkey FOREIGN KEY (proposed_by) REFERENCES users(id)
);
CREATE INDEX payout_batch_orders_amount ON payout_batch_orders USING btree (amount, order_id) WHERE in_file AND state <> 'completed'::text;
CREATE INDEX payout_batch_orders_bank_reference ON payout_batch_orders USING btree (bank_reference) WHERE bank_reference IS NOT NULL;
CREATE UNIQUE INDEX payout_batch_orders_open ON payout_batch_orders USING btree (order_id) WHERE state = 'pending'::text;
CREATE INDEX payout_batch_orders_order ON payout_batch_orders USING btree (order_id);

CREATE TABLE payout_batch_results (
  id bigint NOT NULL,
  batch_id bigint NOT NULL,
  file_name text NOT NULL,
  sha256 bytea NOT NULL,
  content text NOT NULL,
  row_count integer NOT NULL,
  uploaded_by bigint NOT NULL,
  uploaded_at timestamp with time zone NOT NULL,
  CONSTRAINT payout_batch_results_pkey PRIMARY KEY (id),
  CONSTRAINT payout_batch_results_batch_id_fkey FOREIGN KEY (batch_id) REFERENCES payout_batches(id),
  CONSTRAINT payout_batch_results_uploaded_by_fkey FOREIGN KEY (uploaded_by) REFERENCES users(id)
);
CREATE INDEX payout_batch_results_batch ON payout_batch_results USING btree (batch_id, id DESC);

CREATE TABLE payout_batches (
  id bigint GENERATED ALWAYS AS IDENTITY (START WITH 80001) NOT NULL,
  supplier_id bigint NOT NULL,
  account_id bigint NOT NULL,
  template_id bigint NOT NULL,
  template_version integer NOT NULL,
  currency text NOT NULL,
  min_amount bigint NOT NULL,
  max_amount bigint NOT NULL,
  order_count integer NOT NULL,
  total bigint NOT NULL,
  pay_at timestamp with time zone NOT NULL,
  pay_day date NOT NULL,
  serial integer NOT NULL,
  file_name text,
  file text,
  status text DEFAULT 'prepared'::text NOT NULL,
  created_by bigint NOT NULL,
  request_key text NOT NULL,
  content_hash bytea NOT NULL,
  created_at timestamp with time zone NOT NULL,
  exported_at timestamp with time zone,
  sent_at timestamp with time zone,
  ended_at timestamp with time zone,
  CONSTRAINT payout_batches_pkey PRIMARY KEY (id),
  CONSTRAINT payout_batches_account_id_pay_day_serial_key UNIQUE (account_id, pay_day, serial),
  CONSTRAINT payout_batches_created_by_request_key_key UNIQUE (created_by, request_key),
  CONSTRAINT batch_end_has_time CHECK ((status = ANY (ARRAY['closed'::text, 'cancelled'::text])) = (ended_at IS NOT NULL)),
  CONSTRAINT batch_file_is_exported CHECK ((file IS NULL) = (exported_at IS NULL) AND (file IS NULL) = (file_name IS NULL)),
  CONSTRAINT batch_sent_has_time CHECK ((status <> ALL (ARRAY['sent'::text, 'closed'::text])) OR sent_at IS NOT NULL AND file IS NOT NULL),
  CONSTRAINT payout_batches_check CHECK (max_amount >= min_amount),
  CONSTRAINT payout_batches_min_amount_check CHECK (min_amount > 0),
  CONSTRAINT payout_batches_order_count_check CHECK (order_count >= 1 AND order_count <= 500),
  CONSTRAINT payout_batches_serial_check CHECK (serial > 0),
  CONSTRAINT payout_batches_status_check CHECK (status = ANY (ARRAY['prepared'::text, 'exported'::text, 'sent'::text, 'closed'::text, 'cancelled'::text])),
  CONSTRAINT payout_batches_total_check CHECK (total > 0),
  CONSTRAINT payout_batches_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  CONSTRAINT payout_batches_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  CONSTRAINT payout_batches_supplier_id_fkey FOREIGN KEY (supplier_id) REFERENCES suppliers(id),
  CONSTRAINT payout_batches_template_id_template_version_fkey FOREIGN KEY (template_id, template_version) REFERENCES payout_template_versions(template_id, version)
);
CREATE INDEX payout_batches_account ON payout_batches USING btree (account_id, id DESC);
CREATE INDEX payout_batches_supplier ON payout_batches USING btree (supplier_id, id DESC);

CREATE TABLE payout_orders (
  id bigint NOT NULL,
  merchant_id bigint NOT NULL,
  mch_order_no text NOT NULL,
  upload_id bigint,
  product_id integer NOT NULL,
  currency text NOT NULL,
  amount bigint NOT NULL,
  fee bigint NOT NULL,
  status smallint NOT NULL,
  mark smallint DEFAULT 0 NOT NULL,
  unproven boolean DEFAULT false NOT NULL,
  frozen boolean DEFAULT false NOT NULL,
  legal_hold boolean DEFAULT false NOT NULL,
  supplier_id bigint,
  account_id bigint,
  taken_on date,
  claimed_at timestamp with time zone,
  claimed_until timestamp with time zone,
  locked_by text,
  locked_at timestamp with time zone,
  payee_name text,
  payee_bank text,
  payee_account text,
  payee_ifsc text,
  payee_vpa text,
  payee_address text,
  payee_phone text,
  client_ip text,
  notify_url text,
  param1 text,
  param2 text,
  attempt integer DEFAULT 0 NOT NULL,
  sending_since timestamp with time zone,
  submitted_at timestamp with time zone,
  gateway_ref text,
  asked_at timestamp with time zone,
  ask_again_at timestamp with time zone,
  utr text,
  reject_reason text,
  supplier_commission bigint,
  agent_commission bigint,
  finished_at timestamp with time zone,
  reversed_at timestamp with time zone,
  told_at timestamp with time zone,
  told_attempt integer,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT payout_orders_pkey PRIMARY KEY (id),
  CONSTRAINT payout_claim_is_owned CHECK (claimed_until IS NULL OR status = 1 AND supplier_id IS NOT NULL),
  CONSTRAINT payout_end_has_time CHECK ((status = ANY (ARRAY[3, 4, 6])) = (finished_at IS NOT NULL)),
  CONSTRAINT payout_legal_hold_freezes CHECK (frozen OR NOT legal_hold),
  CONSTRAINT payout_names_one_way_to_pay CHECK (num_nonnulls(payee_account, payee_vpa, payee_address, payee_phone) <= 1),
  CONSTRAINT payout_orders_amount_check CHECK (amount > 0),
  CONSTRAINT payout_orders_check CHECK ((told_at IS NULL) = (told_attempt IS NULL)),
  CONSTRAINT payout_orders_fee_check CHECK (fee >= 0),
  CONSTRAINT payout_orders_mark_check CHECK (mark >= 0 AND mark <= 4),
  CONSTRAINT payout_orders_status_check CHECK (status >= 0 AND status <= 9),
  CONSTRAINT payout_unproven_is_paid CHECK (NOT unproven OR status = 3),
  CONSTRAINT payout_waits_unowned CHECK ((status <> ALL (ARRAY[0, 4])) OR supplier_id IS NULL)
) PARTITION BY RANGE (id);
CREATE INDEX payout_orders_account ON ONLY payout_orders USING btree (payee_account, id DESC) WHERE payee_account IS NOT NULL;
CREATE INDEX payout_orders_address ON ONLY payout_orders USING btree (payee_address, id DESC) WHERE payee_address IS NOT NULL;
CREATE INDEX payout_orders_amount ON ONLY payout_orders USING btree (amount, id DESC);
CREATE INDEX payout_orders_asked_again ON ONLY payout_orders USING btree (ask_again_at) WHERE ask_again_at IS NOT NULL;
CREATE INDEX payout_orders_at_gateway ON ONLY payout_orders USING btree (product_id, asked_at) WHERE status = ANY (ARRAY[2, 7, 8]);
CREATE INDEX payout_orders_claims ON ONLY payout_orders USING btree (claimed_until) WHERE claimed_until IS NOT NULL;
CREATE INDEX payout_orders_finished_at ON ONLY payout_orders USING brin (finished_at) WITH (autosummarize='on');
CREATE INDEX payout_orders_ifsc ON ONLY payout_orders USING btree (payee_ifsc, id DESC) WHERE payee_ifsc IS NOT NULL;
CREATE INDEX payout_orders_ip ON ONLY payout_orders USING btree (client_ip, id DESC) WHERE client_ip IS NOT NULL;
CREATE INDEX payout_orders_locked ON ONLY payout_orders USING btree (id DESC) WHERE locked_by IS NOT NULL;
CREATE INDEX payout_orders_mark ON ONLY payout_orders USING btree (mark, id DESC) WHERE mark <> 0;
CREATE INDEX payout_orders_merchant ON ONLY payout_orders USING btree (merchant_id, id DESC);
CREATE INDEX payout_orders_paid_from ON ONLY payout_orders USING btree (account_id, taken_on) WHERE account_id IS NOT NULL AND taken_on IS NOT NULL;
CREATE INDEX payout_orders_payee ON ONLY payout_orders USING gin (payee_name gin_trgm_ops) WHERE payee_name IS NOT NULL;
CREATE INDEX payout_orders_paying ON ONLY payout_orders USING btree (account_id, amount) WHERE account_id IS NOT NULL AND (status = ANY (ARRAY[2, 7, 8]));
CREATE INDEX payout_orders_product ON ONLY payout_orders USING btree (product_id, id DESC);
CREATE INDEX payout_orders_reversed ON ONLY payout_orders USING btree (id DESC) WHERE reversed_at IS NOT NULL;
CREATE INDEX payout_orders_sending ON ONLY payout_orders USING btree (sending_since) WHERE sending_since IS NOT NULL;
CREATE INDEX payout_orders_status ON ONLY payout_orders USING btree (status, id DESC);
CREATE INDEX payout_orders_supplier ON ONLY payout_orders USING btree (supplier_id, id DESC);
CREATE INDEX payout_orders_taken ON ONLY payout_orders USING btree (supplier_id, product_id, taken_on) WHERE taken_on IS NOT NULL;
CREATE INDEX payout_orders_unproven ON ONLY payout_orders USING btree (utr) WHERE unproven;
CREATE INDEX payout_orders_unproven_list ON ONLY payout_orders USING btree (id DESC) WHERE unproven;
CREATE INDEX payout_orders_upload ON ONLY payout_orders USING btree (upload_id) WHERE upload_id IS NOT NULL;
CREATE INDEX payout_orders_utr ON ONLY payout_orders USING btree (utr) WHERE utr IS NOT NULL;
CREATE INDEX payout_orders_waiting ON ONLY payout_orders USING btree (product_id, id) WHERE status = 0;
ALTER TABLE payout_orders ALTER COLUMN payee_name SET STATISTICS 1000;
CREATE TRIGGER statistics_changed AFTER UPDATE ON payout_orders REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_payout_changed();
CREATE TRIGGER statistics_created AFTER INSERT ON payout_orders REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION note_payout_created();
CREATE TRIGGER unproven_noted AFTER UPDATE OF unproven ON payout_orders FOR EACH ROW WHEN (old.unproven <> new.unproven) EXECUTE FUNCTION note_unproven();

CREATE TABLE payout_slips (
  id bigint NOT NULL,
  order_id bigint NOT NULL,
  supplier_id bigint NOT NULL,
  mime text NOT NULL,
  bytes bytea NOT NULL,
  sha256 bytea NOT NULL,
  added_by bigint NOT NULL,
  added_at timestamp with time zone NOT NULL,
  CONSTRAINT payout_slips_pkey PRIMARY KEY (id),
  CONSTRAINT payout_slips_order_id_supplier_id_sha256_key UNIQUE (order_id, supplier_id, sha256),
  CONSTRAINT payout_slips_bytes_check CHECK (length(bytes) >= 1 AND length(bytes) <= 524288),
  CONSTRAINT payout_slips_mime_check CHECK (mime = ANY (ARRAY['image/png'::text, 'image/jpeg'::text])),
  CONSTRAINT payout_slips_sha256_check CHECK (length(sha256) = 32),
  CONSTRAINT payout_slips_added_by_fkey FOREIGN KEY (added_by) REFERENCES users(id),
  CONSTRAINT payout_slips_supplier_id_fkey FOREIGN KEY (supplier_id) REFERENCES suppliers(id)
);

CREATE TABLE payout_template_versions (
  template_id bigint NOT NULL,
  version integer NOT NULL,
  format jsonb NOT NULL,
  created_by bigint,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT payout_template_versions_pkey PRIMARY KEY (template_id, version),
  CONSTRAINT payout_template_versions_version_check CHECK (version > 0),
  CONSTRAINT payout_template_versions_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  CONSTRAINT payout_template_versions_template_id_fkey FOREIGN KEY (template_id) REFERENCES payout_templates(id)
);

CREATE TABLE payout_templates (
  id bigint GENERATED ALWAYS AS IDENTITY (START WITH 50001) NOT NULL,
  name text NOT NULL,
  enabled boolean NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT payout_templates_pkey PRIMARY KEY (id),
  CONSTRAINT payout_templates_name_key UNIQUE (name),
  CONSTRAINT payout_templates_name_check CHECK (length(name) >= 1 AND length(name) <= 64)
);

CREATE TABLE payout_uploads (
  id bigint NOT NULL,
  merchant_id bigint NOT NULL,
  key text NOT NULL,
  content_hash bytea NOT NULL,
  order_count integer NOT NULL,
  total bigint NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT payout_uploads_pkey PRIMARY KEY (id),
  CONSTRAINT payout_uploads_merchant_id_key_key UNIQUE (merchant_id, key),
  CONSTRAINT payout_uploads_order_count_check CHECK (order_count >= 1 AND order_count <= 500),
  CONSTRAINT payout_uploads_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id)
);

CREATE TABLE postings (
  id bigint NOT NULL,
  tx_id bigint DEFAULT pg_current_xact_id()::text::bigint NOT NULL,
  key text NOT NULL,
  kind text NOT NULL,
  order_id bigint,
  currency text NOT NULL,
  entry_count integer NOT NULL,
  entry_sum bigint NOT NULL,
  reverses bigint,
  reason text,
  user_id bigint,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT postings_pkey PRIMARY KEY (id),
  CONSTRAINT postings_key_key UNIQUE (key),
  CONSTRAINT postings_reverses_key UNIQUE (reverses),
  CONSTRAINT entries_sum_to_zero CHECK (entry_sum = 0),
  CONSTRAINT postings_entry_count_check CHECK (entry_count >= 2),
  CONSTRAINT postings_reverses_fkey FOREIGN KEY (reverses) REFERENCES postings(id)
);
CREATE INDEX postings_order ON postings USING btree (order_id);
CREATE INDEX postings_tx ON postings USING btree (tx_id);

CREATE TABLE products (
  id integer NOT NULL,
  name text NOT NULL,
  direction text NOT NULL,
  currency text NOT NULL,
  channel text NOT NULL,
  float_steps integer NOT NULL,
  float_step_minor bigint NOT NULL,
  enabled boolean DEFAULT true NOT NULL,
  pay_url_template text,
  CONSTRAINT products_pkey PRIMARY KEY (id),
  CONSTRAINT products_channel_check CHECK (channel = ANY (ARRAY['upi'::text, 'bank'::text, 'card'::text, 'wallet'::text, 'usdt'::text, 'mpesa'::text, 'gateway'::text])),
  CONSTRAINT products_currency_check CHECK (currency = ANY (ARRAY['INR'::text, 'KES'::text, 'USDT'::text])),
  CONSTRAINT products_direction_check CHECK (direction = ANY (ARRAY['in'::text, 'out'::text])),
  CONSTRAINT products_float_step_minor_check CHECK (float_step_minor >= 0),
  CONSTRAINT products_float_steps_check CHECK (float_steps >= 0 AND float_steps <= 100000),
  CONSTRAINT products_pay_url_template_check CHECK (length(pay_url_template) >= 1 AND length(pay_url_template) <= 512)
);
CREATE CONSTRAINT TRIGGER allocation_pool_changed AFTER INSERT OR DELETE OR UPDATE ON products DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_allocation_pool_change();

CREATE TABLE push_keys (
  id smallint NOT NULL,
  public_key text NOT NULL,
  sealed bytea NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT push_keys_pkey PRIMARY KEY (id),
  CONSTRAINT push_keys_id_check CHECK (id = 1)
);

CREATE TABLE push_subscriptions (
  id bigint NOT NULL,
  user_id bigint NOT NULL,
  endpoint text NOT NULL,
  p256dh text NOT NULL,
  auth text NOT NULL,
  language text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  told_id bigint NOT NULL,
  quiet_until timestamp with time zone NOT NULL,
  last_success_at timestamp with time zone,
  failures integer DEFAULT 0 NOT NULL,
  CONSTRAINT push_subscriptions_pkey PRIMARY KEY (id),
  CONSTRAINT push_subscriptions_endpoint_key UNIQUE (endpoint),
  CONSTRAINT push_subscriptions_endpoint_check CHECK (length(endpoint) <= 1024),
  CONSTRAINT push_subscriptions_failures_check CHECK (failures >= 0),
  CONSTRAINT push_subscriptions_language_check CHECK (language = ANY (ARRAY['en-US'::text, 'zh-CN'::text, 'zh-TW'::text])),
  CONSTRAINT push_subscriptions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX push_subscriptions_user ON push_subscriptions USING btree (user_id, id DESC);

CREATE TABLE rail_watches (
  account_id bigint NOT NULL,
  monitor_id bigint NOT NULL,
  read_until timestamp with time zone,
  next_at timestamp with time zone NOT NULL,
  rescanned_at timestamp with time zone,
  registered_url text,
  problem text,
  CONSTRAINT rail_watches_pkey PRIMARY KEY (account_id),
  CONSTRAINT rail_watches_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  CONSTRAINT rail_watches_monitor_id_fkey FOREIGN KEY (monitor_id) REFERENCES monitors(id)
);
CREATE INDEX rail_watches_due ON rail_watches USING btree (next_at);

CREATE TABLE resources (
  account_id bigint NOT NULL,
  product_id integer NOT NULL,
  state smallint DEFAULT 1 NOT NULL,
  min_amount bigint NOT NULL,
  max_amount bigint NOT NULL,
  weight integer DEFAULT 100 NOT NULL,
  CONSTRAINT resources_pkey PRIMARY KEY (account_id, product_id),
  CONSTRAINT resources_check CHECK (max_amount >= min_amount),
  CONSTRAINT resources_min_amount_check CHECK (min_amount > 0),
  CONSTRAINT resources_state_check CHECK (state = ANY (ARRAY[0, 1])),
  CONSTRAINT resources_weight_check CHECK (weight >= 0 AND weight <= 10000),
  CONSTRAINT resources_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  CONSTRAINT resources_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id)
);
CREATE INDEX resources_product ON resources USING btree (product_id) WHERE state = 0;
CREATE CONSTRAINT TRIGGER allocation_pool_changed AFTER INSERT OR DELETE OR UPDATE ON resources DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_allocation_pool_change();

CREATE TABLE restorations (
  restored_to timestamp with time zone NOT NULL,
  done_at timestamp with time zone NOT NULL,
  CONSTRAINT restorations_pkey PRIMARY KEY (restored_to),
  CONSTRAINT restorations_check CHECK (done_at >= restored_to)
);

CREATE TABLE schema_migrations (
  name text NOT NULL,
  sha256 text NOT NULL,
  applied_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT schema_migrations_pkey PRIMARY KEY (name)
);

CREATE TABLE session_screens (
  session_id bigint NOT NULL,
  window_id uuid NOT NULL,
  screens text[] NOT NULL,
  told_at timestamp with time zone NOT NULL,
  CONSTRAINT session_screens_pkey PRIMARY KEY (session_id, window_id),
  CONSTRAINT session_screens_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE
);

CREATE TABLE sessions (
  id bigint NOT NULL,
  token_hash bytea NOT NULL,
  cookie_hash bytea NOT NULL,
  needs_cookie boolean DEFAULT false NOT NULL,
  user_id bigint NOT NULL,
  stage text NOT NULL,
  second_token_hash bytea,
  second_expires_at timestamp with time zone,
  ip text NOT NULL,
  user_agent text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  last_seen_at timestamp with time zone NOT NULL,
  active_at timestamp with time zone NOT NULL,
  seen_from bigint,
  seen_as_user bigint,
  seen_as_role text,
  expires_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone,
  CONSTRAINT sessions_pkey PRIMARY KEY (id),
  CONSTRAINT sessions_token_hash_key UNIQUE (token_hash),
  CONSTRAINT seen_as_somebody CHECK ((seen_from IS NULL) = (seen_as_role IS NULL)),
  CONSTRAINT sessions_stage_check CHECK (stage = ANY (ARRAY['binding'::text, 'full'::text])),
  CONSTRAINT sessions_seen_as_user_fkey FOREIGN KEY (seen_as_user) REFERENCES users(id),
  CONSTRAINT sessions_seen_from_fkey FOREIGN KEY (seen_from) REFERENCES sessions(id) ON DELETE CASCADE,
  CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX sessions_ended ON sessions USING btree (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX sessions_expiry ON sessions USING btree (expires_at);
CREATE INDEX sessions_user ON sessions USING btree (user_id) WHERE ended_at IS NULL;

CREATE TABLE settings (
  name text NOT NULL,
  value jsonb NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  updated_by bigint,
  CONSTRAINT settings_pkey PRIMARY KEY (name)
);

CREATE TABLE settlement_asked (
  approval_id bigint NOT NULL,
  ledger_account_id bigint NOT NULL,
  amount bigint NOT NULL,
  as_of pg_snapshot,
  CONSTRAINT settlement_asked_pkey PRIMARY KEY (approval_id, ledger_account_id),
  CONSTRAINT settlement_asked_amount_check CHECK (amount > 0),
  CONSTRAINT settlement_asked_approval_id_fkey FOREIGN KEY (approval_id) REFERENCES approvals(id),
  CONSTRAINT settlement_asked_ledger_account_id_fkey FOREIGN KEY (ledger_account_id) REFERENCES ledger_accounts(id)
);

CREATE TABLE settlement_rows (
  run_id bigint NOT NULL,
  ledger_account_id bigint NOT NULL,
  merchant_id bigint NOT NULL,
  currency text NOT NULL,
  due_day date NOT NULL,
  amount bigint NOT NULL,
  posting_id bigint NOT NULL,
  settled_at timestamp with time zone NOT NULL,
  CONSTRAINT settlement_rows_pkey PRIMARY KEY (run_id, ledger_account_id),
  CONSTRAINT settlement_rows_posting_id_key UNIQUE (posting_id),
  CONSTRAINT settlement_rows_amount_check CHECK (amount > 0),
  CONSTRAINT settlement_rows_ledger_account_id_fkey FOREIGN KEY (ledger_account_id) REFERENCES ledger_accounts(id),
  CONSTRAINT settlement_rows_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  CONSTRAINT settlement_rows_posting_id_fkey FOREIGN KEY (posting_id) REFERENCES postings(id),
  CONSTRAINT settlement_rows_run_id_fkey FOREIGN KEY (run_id) REFERENCES settlement_runs(id)
);
CREATE INDEX settlement_rows_merchant ON settlement_rows USING btree (merchant_id, posting_id DESC);

CREATE TABLE settlement_runs (
  id bigint NOT NULL,
  through_day date NOT NULL,
  merchant_id bigint,
  started_by bigint,
  total integer NOT NULL,
  done integer DEFAULT 0 NOT NULL,
  started_at timestamp with time zone NOT NULL,
  finished_at timestamp with time zone,
  approval_id bigint,
  CONSTRAINT settlement_runs_pkey PRIMARY KEY (id),
  CONSTRAINT settlement_runs_approval_id_key UNIQUE (approval_id),
  CONSTRAINT settlement_runs_approval_id_fkey FOREIGN KEY (approval_id) REFERENCES approvals(id),
  CONSTRAINT settlement_runs_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id),
  CONSTRAINT settlement_runs_started_by_fkey FOREIGN KEY (started_by) REFERENCES users(id)
);
CREATE UNIQUE INDEX settlement_runs_daily ON settlement_runs USING btree (through_day) WHERE started_by IS NULL AND finished_at IS NULL;
CREATE INDEX settlement_runs_open ON settlement_runs USING btree (id) WHERE finished_at IS NULL;

CREATE TABLE sign_in_failures (
  account text NOT NULL,
  ip text NOT NULL,
  failures integer NOT NULL,
  locked_until timestamp with time zone,
  last_at timestamp with time zone NOT NULL,
  CONSTRAINT sign_in_failures_pkey PRIMARY KEY (account, ip)
);

CREATE TABLE source_sums (
  day date NOT NULL,
  dimension text NOT NULL,
  value text NOT NULL,
  merchant_id bigint NOT NULL,
  currency text NOT NULL,
  r0 integer NOT NULL,
  r1 integer NOT NULL,
  r2 integer NOT NULL,
  r3 integer NOT NULL,
  r4 integer NOT NULL,
  r5 integer NOT NULL,
  amount bigint NOT NULL,
  paid_amount bigint NOT NULL,
  CONSTRAINT source_sums_pkey PRIMARY KEY (dimension, day, value, merchant_id, currency),
  CONSTRAINT source_sums_dimension_check CHECK (dimension = ANY (ARRAY['hour'::text, 'referrer'::text, 'device'::text, 'network'::text, 'band'::text, 'bank'::text])),
  CONSTRAINT source_sums_r0_check CHECK (r0 >= 0),
  CONSTRAINT source_sums_r5_check CHECK (r5 >= 0)
);

CREATE TABLE statistics_changes (
  id bigint NOT NULL,
  sign smallint NOT NULL,
  told_sign smallint NOT NULL,
  direction text NOT NULL,
  merchant_id bigint NOT NULL,
  supplier_id bigint,
  account_id bigint,
  product_id integer NOT NULL,
  currency text NOT NULL,
  mark smallint NOT NULL,
  status smallint NOT NULL,
  supplement_status smallint NOT NULL,
  amount bigint NOT NULL,
  received bigint,
  fee bigint,
  supplier_commission bigint,
  agent_commission bigint,
  allocated_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone,
  reversed_at timestamp with time zone,
  told_at timestamp with time zone,
  told_attempt integer
)
WITH (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=20000);

CREATE TABLE statistics_days (
  direction text NOT NULL,
  grain smallint NOT NULL,
  day date NOT NULL,
  merchant_id bigint NOT NULL,
  supplier_id bigint NOT NULL,
  account_id bigint NOT NULL,
  product_id integer NOT NULL,
  currency text NOT NULL,
  mark smallint NOT NULL,
  created bigint,
  created_amount bigint,
  allocated bigint,
  allocated_amount bigint,
  allocation_failed bigint,
  allocation_failed_amount bigint,
  timed_out bigint,
  timed_out_amount bigint,
  cancelled bigint,
  cancelled_amount bigint,
  rejected bigint,
  rejected_amount bigint,
  to_be_confirmed bigint,
  to_be_confirmed_amount bigint,
  processing_error bigint,
  processing_error_amount bigint,
  paid bigint,
  paid_amount bigint,
  supplemented bigint,
  supplemented_amount bigint,
  reversed bigint,
  reversed_amount bigint,
  fee bigint,
  commission bigint,
  agent_commission bigint,
  told_first bigint,
  told_later bigint,
  paid_by_completion bigint,
  paid_amount_by_completion bigint,
  supplemented_by_completion bigint,
  supplemented_amount_by_completion bigint,
  reversed_by_completion bigint,
  reversed_amount_by_completion bigint,
  fee_by_completion bigint,
  commission_by_completion bigint,
  agent_commission_by_completion bigint,
  told_first_by_completion bigint,
  told_later_by_completion bigint,
  pay numeric,
  pay_by_completion numeric,
  tell numeric,
  tell_by_completion numeric,
  CONSTRAINT statistics_days_pkey PRIMARY KEY (direction, grain, day, merchant_id, supplier_id, account_id, product_id, currency, mark),
  CONSTRAINT statistics_days_direction_check CHECK (direction = ANY (ARRAY['in'::text, 'out'::text]))
)
WITH (fillfactor=70);
CREATE INDEX statistics_days_merchant ON statistics_days USING btree (merchant_id, direction, day) WHERE grain = 7;
CREATE INDEX statistics_days_supplier ON statistics_days USING btree (supplier_id, direction, day) WHERE grain = 7;

CREATE TABLE statistics_half_hours (
  direction text NOT NULL,
  grain smallint NOT NULL,
  day date NOT NULL,
  half_hour smallint NOT NULL,
  merchant_id bigint NOT NULL,
  supplier_id bigint NOT NULL,
  account_id bigint NOT NULL,
  product_id integer NOT NULL,
  currency text NOT NULL,
  mark smallint NOT NULL,
  created bigint,
  created_amount bigint,
  allocated bigint,
  allocated_amount bigint,
  allocation_failed bigint,
  allocation_failed_amount bigint,
  timed_out bigint,
  timed_out_amount bigint,
  cancelled bigint,
  cancelled_amount bigint,
  rejected bigint,
  rejected_amount bigint,
  to_be_confirmed bigint,
  to_be_confirmed_amount bigint,
  processing_error bigint,
  processing_error_amount bigint,
  paid bigint,
  paid_amount bigint,
  supplemented bigint,
  supplemented_amount bigint,
  reversed bigint,
  reversed_amount bigint,
  fee bigint,
  commission bigint,
  agent_commission bigint,
  told_first bigint,
  told_later bigint,
  paid_by_completion bigint,
  paid_amount_by_completion bigint,
  supplemented_by_completion bigint,
  supplemented_amount_by_completion bigint,
  reversed_by_completion bigint,
  reversed_amount_by_completion bigint,
  fee_by_completion bigint,
  commission_by_completion bigint,
  agent_commission_by_completion bigint,
  told_first_by_completion bigint,
  told_later_by_completion bigint,
  pay numeric,
  pay_by_completion numeric,
  tell numeric,
  tell_by_completion numeric,
  CONSTRAINT statistics_half_hours_pkey PRIMARY KEY (direction, grain, day, half_hour, merchant_id, supplier_id, account_id, product_id, currency, mark),
  CONSTRAINT statistics_half_hours_direction_check CHECK (direction = ANY (ARRAY['in'::text, 'out'::text])),
  CONSTRAINT statistics_half_hours_half_hour_check CHECK (half_hour >= 0 AND half_hour <= 47)
)
WITH (fillfactor=70);

CREATE TABLE statistics_spans (
  direction text NOT NULL,
  grain smallint NOT NULL,
  span smallint NOT NULL,
  day date NOT NULL,
  merchant_id bigint NOT NULL,
  supplier_id bigint NOT NULL,
  account_id bigint NOT NULL,
  product_id integer NOT NULL,
  currency text NOT NULL,
  created bigint,
  created_amount bigint,
  allocated bigint,
  allocated_amount bigint,
  allocation_failed bigint,
  allocation_failed_amount bigint,
  timed_out bigint,
  timed_out_amount bigint,
  cancelled bigint,
  cancelled_amount bigint,
  rejected bigint,
  rejected_amount bigint,
  to_be_confirmed bigint,
  to_be_confirmed_amount bigint,
  processing_error bigint,
  processing_error_amount bigint,
  paid bigint,
  paid_amount bigint,
  supplemented bigint,
  supplemented_amount bigint,
  reversed bigint,
  reversed_amount bigint,
  fee bigint,
  commission bigint,
  agent_commission bigint,
  told_first bigint,
  told_later bigint,
  paid_by_completion bigint,
  paid_amount_by_completion bigint,
  supplemented_by_completion bigint,
  supplemented_amount_by_completion bigint,
  reversed_by_completion bigint,
  reversed_amount_by_completion bigint,
  fee_by_completion bigint,
  commission_by_completion bigint,
  agent_commission_by_completion bigint,
  told_first_by_completion bigint,
  told_later_by_completion bigint,
  pay numeric,
  pay_by_completion numeric,
  tell numeric,
  tell_by_completion numeric,
  CONSTRAINT statistics_spans_pkey PRIMARY KEY (direction, grain, span, day, merchant_id, supplier_id, account_id, product_id, currency),
  CONSTRAINT statistics_spans_direction_check CHECK (direction = ANY (ARRAY['in'::text, 'out'::text])),
  CONSTRAINT statistics_spans_span_check CHECK (span = ANY (ARRAY[1, 4, 8, 16]))
)
WITH (fillfactor=70);
CREATE INDEX statistics_spans_supplier ON statistics_spans USING btree (supplier_id, direction, span, day) WHERE grain = 3;

CREATE TABLE statistics_state (
  id smallint DEFAULT 1 NOT NULL,
  as_of timestamp with time zone NOT NULL,
  half_hours_from date NOT NULL,
  spans_until date NOT NULL,
  settled_until bigint NOT NULL,
  pairs_until date DEFAULT '-infinity'::date NOT NULL,
  pairs_merchant bigint DEFAULT 0 NOT NULL,
  CONSTRAINT statistics_state_pkey PRIMARY KEY (id),
  CONSTRAINT statistics_state_id_check CHECK (id = 1)
);

CREATE TABLE stk_pushes (
  checkout_id text NOT NULL,
  order_id bigint NOT NULL,
  account_id bigint NOT NULL,
  asked_at timestamp with time zone NOT NULL,
  result_code integer,
  result_text text,
  ended_at timestamp with time zone,
  CONSTRAINT stk_pushes_pkey PRIMARY KEY (checkout_id),
  CONSTRAINT stk_pushes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);
CREATE INDEX stk_pushes_open ON stk_pushes USING btree (asked_at) WHERE result_code IS NULL;
CREATE INDEX stk_pushes_order ON stk_pushes USING btree (order_id);

CREATE TABLE suppliers (
  id bigint GENERATED ALWAYS AS IDENTITY (START WITH 20001) NOT NULL,
  user_id bigint NOT NULL,
  agent_id bigint,
  related_merchant_id bigint,
  name text NOT NULL,
  enabled boolean DEFAULT true NOT NULL,
  frozen boolean DEFAULT false NOT NULL,
  legal_hold boolean DEFAULT false NOT NULL,
  open_claims_max integer DEFAULT 20 NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT suppliers_pkey PRIMARY KEY (id),
  CONSTRAINT suppliers_related_merchant_id_key UNIQUE (related_merchant_id),
  CONSTRAINT suppliers_user_id_key UNIQUE (user_id),
  CONSTRAINT supplier_hold_freezes CHECK (frozen OR NOT legal_hold),
  CONSTRAINT suppliers_check CHECK (agent_id <> id),
  CONSTRAINT suppliers_name_check CHECK (length(name) >= 1 AND length(name) <= 128),
  CONSTRAINT suppliers_open_claims_max_check CHECK (open_claims_max > 0),
  CONSTRAINT suppliers_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES suppliers(id),
  CONSTRAINT suppliers_related_merchant_id_fkey FOREIGN KEY (related_merchant_id) REFERENCES merchants(id),
  CONSTRAINT suppliers_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX suppliers_agent ON suppliers USING btree (agent_id);
CREATE CONSTRAINT TRIGGER allocation_pool_changed AFTER INSERT OR DELETE OR UPDATE ON suppliers DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_allocation_pool_change();

CREATE TABLE test_order_catches (
  id bigint NOT NULL,
  catch_token text NOT NULL,
  body text NOT NULL,
  caught_at timestamp with time zone NOT NULL,
  CONSTRAINT test_order_catches_pkey PRIMARY KEY (id),
  CONSTRAINT test_order_catches_catch_token_fkey FOREIGN KEY (catch_token) REFERENCES test_orders(catch_token)
);
CREATE INDEX test_order_catches_token ON test_order_catches USING btree (catch_token, id);

CREATE TABLE test_order_fees (
  order_id bigint NOT NULL,
  merchant_id bigint NOT NULL,
  product_id integer NOT NULL,
  currency text NOT NULL,
  fee bigint NOT NULL,
  paid_at timestamp with time zone NOT NULL,
  CONSTRAINT test_order_fees_pkey PRIMARY KEY (order_id),
  CONSTRAINT test_order_fees_fee_check CHECK (fee > 0),
  CONSTRAINT test_order_fees_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id)
);

CREATE TABLE test_orders (
  merchant_id bigint NOT NULL,
  mch_order_no text NOT NULL,
  catch_token text NOT NULL,
  created_by bigint NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT test_orders_pkey PRIMARY KEY (merchant_id, mch_order_no),
  CONSTRAINT test_orders_catch_token_key UNIQUE (catch_token),
  CONSTRAINT test_orders_mch_order_no_key UNIQUE (mch_order_no),
  CONSTRAINT test_orders_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  CONSTRAINT test_orders_merchant_id_fkey FOREIGN KEY (merchant_id) REFERENCES merchants(id)
);

CREATE TABLE transfer_instructions (
  id bigint NOT NULL,
  group_id bigint NOT NULL,
  update_id bigint NOT NULL,
  sender_id bigint NOT NULL,
  sender text NOT NULL,
  text text NOT NULL,
  amount bigint,
  currency text,
  payee text,
  purpose text,
  state text NOT NULL,
  todo_id bigint,
  second_todo_id bigint,
  created_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone,
  CONSTRAINT transfer_instructions_pkey PRIMARY KEY (id),
  CONSTRAINT transfer_instructions_update_id_key UNIQUE (update_id),
  CONSTRAINT asked_when_understood CHECK ((state = 'unclear'::text) = (todo_id IS NULL)),
  CONSTRAINT done_by_two CHECK ((state <> ALL (ARRAY['confirmed'::text, 'done'::text])) OR second_todo_id IS NOT NULL),
  CONSTRAINT transfer_instructions_amount_check CHECK (amount > 0),
  CONSTRAINT transfer_instructions_state_check CHECK (state = ANY (ARRAY['unclear'::text, 'pending'::text, 'confirmed'::text, 'done'::text, 'refused'::text])),
  CONSTRAINT transfer_instructions_text_check CHECK (length(text) <= 4096),
  CONSTRAINT transfer_instructions_group_id_fkey FOREIGN KEY (group_id) REFERENCES bot_groups(id),
  CONSTRAINT transfer_instructions_second_todo_id_fkey FOREIGN KEY (second_todo_id) REFERENCES approvals(id),
  CONSTRAINT transfer_instructions_todo_id_fkey FOREIGN KEY (todo_id) REFERENCES approvals(id)
);
CREATE INDEX transfer_instructions_open ON transfer_instructions USING btree (id) WHERE state = ANY (ARRAY['pending'::text, 'confirmed'::text]);

CREATE TABLE user_control_changes (
  id bigint NOT NULL,
  user_id bigint NOT NULL,
  changed_by bigint NOT NULL,
  change text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT user_control_changes_pkey PRIMARY KEY (id),
  CONSTRAINT user_control_changes_change_check CHECK (change = ANY (ARRAY['created'::text, 'link'::text, 'role'::text, 'unbound'::text, 'googleOff'::text, 'revived'::text])),
  CONSTRAINT user_control_changes_check CHECK (user_id <> changed_by),
  CONSTRAINT user_control_changes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX user_control_changes_user ON user_control_changes USING btree (user_id, created_at);

CREATE TABLE user_product_days (
  owner_kind text NOT NULL,
  owner_id bigint NOT NULL,
  product_id integer NOT NULL,
  day date NOT NULL,
  orders integer NOT NULL,
  amount bigint NOT NULL,
  CONSTRAINT user_product_days_pkey PRIMARY KEY (owner_kind, owner_id, product_id, day),
  CONSTRAINT user_product_days_amount_check CHECK (amount >= 0),
  CONSTRAINT user_product_days_orders_check CHECK (orders >= 0),
  CONSTRAINT user_product_days_owner_kind_check CHECK (owner_kind = ANY (ARRAY['merchant'::text, 'supplier'::text]))
);

CREATE TABLE user_product_terms (
  id bigint NOT NULL,
  owner_kind text NOT NULL,
  owner_id bigint NOT NULL,
  product_id integer NOT NULL,
  enabled boolean NOT NULL,
  rate_ppm integer NOT NULL,
  fixed_fee bigint NOT NULL,
  min_amount bigint NOT NULL,
  max_amount bigint NOT NULL,
  daily_count_limit integer,
  daily_amount_limit bigint,
  weight integer DEFAULT 100 NOT NULL,
  effective_at timestamp with time zone NOT NULL,
  applied_at timestamp with time zone,
  set_by bigint,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT user_product_terms_pkey PRIMARY KEY (id),
  CONSTRAINT user_product_terms_check CHECK (max_amount >= min_amount),
  CONSTRAINT user_product_terms_daily_amount_limit_check CHECK (daily_amount_limit >= 0),
  CONSTRAINT user_product_terms_daily_count_limit_check CHECK (daily_count_limit >= 0),
  CONSTRAINT user_product_terms_fixed_fee_check CHECK (fixed_fee >= 0),
  CONSTRAINT user_product_terms_min_amount_check CHECK (min_amount > 0),
  CONSTRAINT user_product_terms_owner_kind_check CHECK (owner_kind = ANY (ARRAY['merchant'::text, 'supplier'::text, 'agent'::text])),
  CONSTRAINT user_product_terms_rate_ppm_check CHECK (rate_ppm >= 0 AND rate_ppm <= 1000000),
  CONSTRAINT user_product_terms_weight_check CHECK (weight >= 0 AND weight <= 10000),
  CONSTRAINT user_product_terms_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id),
  CONSTRAINT user_product_terms_set_by_fkey FOREIGN KEY (set_by) REFERENCES users(id)
);
CREATE INDEX user_product_terms_due ON user_product_terms USING btree (effective_at) WHERE applied_at IS NULL;
CREATE INDEX user_product_terms_owner ON user_product_terms USING btree (owner_kind, owner_id, product_id, effective_at DESC, id DESC);

CREATE TABLE user_products (
  owner_kind text NOT NULL,
  owner_id bigint NOT NULL,
  product_id integer NOT NULL,
  enabled boolean DEFAULT true NOT NULL,
  rate_ppm integer NOT NULL,
  fixed_fee bigint DEFAULT 0 NOT NULL,
  min_amount bigint NOT NULL,
  max_amount bigint NOT NULL,
  daily_count_limit integer,
  daily_amount_limit bigint,
  weight integer DEFAULT 100 NOT NULL,
  CONSTRAINT user_products_pkey PRIMARY KEY (owner_kind, owner_id, product_id),
  CONSTRAINT user_products_check CHECK (max_amount >= min_amount),
  CONSTRAINT user_products_daily_amount_limit_check CHECK (daily_amount_limit >= 0),
  CONSTRAINT user_products_daily_count_limit_check CHECK (daily_count_limit >= 0),
  CONSTRAINT user_products_fixed_fee_check CHECK (fixed_fee >= 0),
  CONSTRAINT user_products_min_amount_check CHECK (min_amount > 0),
  CONSTRAINT user_products_owner_kind_check CHECK (owner_kind = ANY (ARRAY['merchant'::text, 'supplier'::text, 'agent'::text])),
  CONSTRAINT user_products_rate_ppm_check CHECK (rate_ppm >= 0 AND rate_ppm <= 1000000),
  CONSTRAINT user_products_weight_check CHECK (weight >= 0 AND weight <= 10000),
  CONSTRAINT user_products_product_id_fkey FOREIGN KEY (product_id) REFERENCES products(id)
);
CREATE CONSTRAINT TRIGGER allocation_pool_changed AFTER INSERT OR DELETE OR UPDATE ON user_products DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_allocation_pool_change();

CREATE TABLE users (
  id bigint NOT NULL,
  account text NOT NULL,
  nickname text NOT NULL,
  role text NOT NULL,
  allow_modify boolean DEFAULT true NOT NULL,
  password_hash text,
  pay_password_hash text,
  enable_google_verify boolean DEFAULT true NOT NULL,
  google_secret bytea,
  pending_google_secret bytea,
  google_bound_at timestamp with time zone,
  last_totp_step bigint DEFAULT 0 NOT NULL,
  last_sign_in_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  deleted_at timestamp with time zone,
  CONSTRAINT users_pkey PRIMARY KEY (id),
  CONSTRAINT users_id_role UNIQUE (id, role),
  CONSTRAINT users_account_check CHECK (account ~ '^[A-Za-z0-9]{1,64}$'::text),
  CONSTRAINT users_nickname_check CHECK (length(nickname) >= 1 AND length(nickname) <= 128),
  CONSTRAINT users_role_check CHECK (role = ANY (ARRAY['superAdmin'::text, 'admin'::text, 'customerService'::text, 'technicalMaintenance'::text, 'technicalSupport'::text, 'supplier'::text, 'merchant'::text]))
);
CREATE UNIQUE INDEX users_account ON users USING btree (lower(account)) WHERE deleted_at IS NULL;

CREATE TABLE utr_uses (
  family text NOT NULL,
  utr text NOT NULL,
  order_id bigint NOT NULL,
  used_at timestamp with time zone NOT NULL,
  CONSTRAINT utr_uses_pkey PRIMARY KEY (family, utr),
  CONSTRAINT utr_is_a_reference CHECK (utr ~ '^[A-Z0-9]{6,80}$'::text AND (utr ~ '([0-9].*){3}'::text OR family = 'MPESA'::text AND utr ~ '^[A-Z0-9]{10}$'::text OR utr ~ '^[A-Z][A-L][1-9A-V][A-Z0-9]{7}$'::text AND utr ~ '[0-9]'::text)) NOT VALID
);
CREATE INDEX utr_uses_order ON utr_uses USING btree (order_id);

CREATE TABLE verify_runs (
  id bigint NOT NULL,
  scope text NOT NULL,
  checks integer NOT NULL,
  broken jsonb NOT NULL,
  is_ok boolean GENERATED ALWAYS AS (broken = '[]'::jsonb) STORED NOT NULL,
  started_at timestamp with time zone NOT NULL,
  duration_ms integer NOT NULL,
  CONSTRAINT verify_runs_pkey PRIMARY KEY (id),
  CONSTRAINT verify_runs_scope_check CHECK (scope = ANY (ARRAY['whole'::text, 'recent'::text]))
);

CREATE TABLE waiting_orders (
  order_id bigint NOT NULL,
  merchant_id bigint,
  product_id integer,
  account_id bigint NOT NULL,
  supplier_id bigint NOT NULL,
  currency text NOT NULL,
  amount bigint NOT NULL,
  payable bigint NOT NULL,
  slot bigint DEFAULT 0 NOT NULL,
  held bigint DEFAULT 0 NOT NULL,
  identify_code text NOT NULL,
  payer_utr text,
  user_name text,
  day date NOT NULL,
  allocated_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  release_at timestamp with time zone NOT NULL,
  timed_out boolean DEFAULT false NOT NULL,
  CONSTRAINT waiting_orders_pkey PRIMARY KEY (order_id),
  CONSTRAINT one_order_per_payable UNIQUE (account_id, payable, slot),
  CONSTRAINT waiting_orders_identify_code_key UNIQUE (identify_code),
  CONSTRAINT waiting_orders_held_check CHECK (held >= 0),
  CONSTRAINT waiting_orders_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id)
);
CREATE INDEX waiting_orders_expiry ON waiting_orders USING btree (expires_at) WHERE NOT timed_out;
CREATE INDEX waiting_orders_release ON waiting_orders USING btree (release_at) WHERE timed_out;
CREATE INDEX waiting_orders_supplier ON waiting_orders USING btree (supplier_id);
CREATE INDEX waiting_orders_utr ON waiting_orders USING btree (payer_utr) WHERE payer_utr IS NOT NULL;

CREATE TABLE withdrawals (
  order_id bigint NOT NULL,
  merchant_id bigint NOT NULL,
  beneficiary_id bigint NOT NULL,
  asked_by bigint NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT withdrawals_pkey PRIMARY KEY (order_id),
  CONSTRAINT withdrawals_asked_by_fkey FOREIGN KEY (asked_by) REFERENCES users(id),
  CONSTRAINT withdrawals_merchant_id_beneficiary_id_fkey FOREIGN KEY (merchant_id, beneficiary_id) REFERENCES beneficiaries(merchant_id, id)
);
CREATE INDEX withdrawals_merchant ON withdrawals USING btree (merchant_id, order_id DESC);
CREATE TRIGGER withdrawal_pays_its_beneficiary BEFORE INSERT ON withdrawals FOR EACH ROW EXECUTE FUNCTION withdrawal_pays_its_beneficiary();
