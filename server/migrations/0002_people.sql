-- People: who signs in, what they are sent, and what waits for a second person.

create table users (
  id bigint primary key,
  account text not null check (account ~ '^[A-Za-z0-9]{1,64}$'),
  nickname text not null check (length(nickname) between 1 and 128),
  role text not null check (role in
    ('superAdmin', 'admin', 'customerService', 'technicalMaintenance', 'technicalSupport', 'supplier', 'merchant')),
  -- False: the user may not change their own profile.
  allow_modify boolean not null default true,
  -- Null until the user has set its own by a link (password_links).
  password_hash text,
  pay_password_hash text,
  enable_google_verify boolean not null default true,
  google_secret bytea,
  -- A secret being bound replaces google_secret only once a code proves it.
  pending_google_secret bytea,
  google_bound_at timestamptz,
  -- Last accepted TOTP step. Every node refuses it and all before it.
  last_totp_step bigint not null default 0,
  last_sign_in_at timestamptz,
  created_at timestamptz not null,
  deleted_at timestamptz,
  constraint users_id_role unique (id, role)
);
create unique index users_account on users (lower(account)) where deleted_at is null;

-- WebAuthn credentials. A removed one stays: what it signed can still be checked.
create table passkeys (
  id bigint primary key,
  user_id bigint not null references users (id),
  credential_id bytea not null unique,
  -- COSE.
  public_key bytea not null,
  -- How often the authenticator says it was used; one that always says 0 does not count.
  sign_count bigint not null check (sign_count >= 0),
  transports text[] not null,
  is_synced boolean not null,
  name text not null check (length(name) between 1 and 64),
  created_at timestamptz not null,
  last_used_at timestamptz,
  removed_at timestamptz
);
create index passkeys_user on passkeys (user_id) where removed_at is null;

-- Random numbers that a passkey has to sign, once each. Rows go when they are used or too old.
create table passkey_challenges (
  challenge bytea primary key,
  user_id bigint not null references users (id),
  -- Null at sign-in.
  session_id bigint,
  -- Of what a call is about: the challenge is the hash of both (access/passkeys/step-up.ts).
  nonce text,
  expires_at timestamptz not null
);

-- Who a user is at the company's identity service. Its issuer and subject alone name a person; addresses may change hands.
create table company_identities (
  user_id bigint primary key references users (id),
  issuer text not null,
  subject text not null,
  linked_at timestamptz not null,
  unique (issuer, subject)
);

-- Ways to the identity service and back. A row goes when it is used or too old.
create table company_visits (
  -- Of the state that comes back with the browser; once its user is proven, of the ticket that the second factor comes with.
  token_hash bytea primary key,
  verifier text not null,
  nonce text not null,
  -- Of a session that links its user; null at sign-in.
  session_id bigint,
  user_id bigint references users (id),
  expires_at timestamptz not null
);

-- Who made a user, had the link of its passwords in hand, or gave it a role or a new authenticator to bind: such a one could start
-- a request as one and decide it as the other (approvals/independence.ts). Written with the change itself, and never changed.
create table user_control_changes (
  id bigint primary key,
  user_id bigint not null references users (id),
  changed_by bigint not null,
  change text not null check (change in ('created', 'link', 'role', 'unbound', 'googleOff', 'revived')),
  created_at timestamptz not null,
  check (user_id <> changed_by)
);
create index user_control_changes_user on user_control_changes (user_id, created_at);

-- Grants to set a user's passwords by a link, once. Only who approved the request is shown the link; it is stored hashed.
create table password_links (
  id bigint primary key,
  user_id bigint not null references users (id),
  -- These three are null for `npm run first-admin`.
  approval_id bigint unique,
  asked_by bigint references users (id),
  given_to bigint references users (id),
  -- Null until it is shown; shown again it is another one.
  token_hash bytea unique,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  ended_at timestamptz
);
create unique index password_links_open on password_links (user_id) where used_at is null and ended_at is null;

create table sign_in_failures (
  account text not null,
  ip text not null,
  failures int not null,
  locked_until timestamptz,
  last_at timestamptz not null,
  primary key (account, ip)
);

create table sessions (
  id bigint primary key,
  token_hash bytea not null unique,
  -- The HttpOnly cookie of the same session; browsers must send both.
  cookie_hash bytea not null,
  -- Opened by a browser: its token alone is worth nothing, whatever the call looks like.
  needs_cookie boolean not null default false,
  user_id bigint not null references users (id),
  stage text not null check (stage in ('binding', 'full')),
  -- Proof that the second password was given, and until when it counts.
  second_token_hash bytea,
  second_expires_at timestamptz,
  ip text not null,
  user_agent text not null,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  -- The last call that a person's hand caused: what a console asks by itself does not count (access/idle.ts).
  active_at timestamptz not null,
  -- To see the console as another: the session it was opened from, and the user or only the role that is seen. The user is who looks.
  seen_from bigint references sessions (id) on delete cascade,
  seen_as_user bigint references users (id),
  seen_as_role text,
  constraint seen_as_somebody check ((seen_from is null) = (seen_as_role is null)),
  expires_at timestamptz not null,
  ended_at timestamptz
);
create index sessions_user on sessions (user_id) where ended_at is null;
-- Every node looks several times a second for sessions that have ended.
create index sessions_ended on sessions (ended_at) where ended_at is not null;
create index sessions_expiry on sessions (expires_at);

-- Inbox

create table inbox_messages (
  id bigint primary key,
  user_id bigint not null references users (id),
  -- Null: the system.
  sender_id bigint references users (id),
  -- 'letter', or a kind of notice of the contract, whose text is made when it is read.
  kind text not null,
  data jsonb not null,
  folder text not null default 'unread' check (folder in ('unread', 'readed', 'trash')),
  -- When it came into its folder: a moved message goes on top.
  moved_at timestamptz not null,
  created_at timestamptz not null
);
create index inbox_messages_folder on inbox_messages (user_id, folder, moved_at desc, id desc);

-- Approvals

create table approvals (
  id bigint primary key,
  tx_id bigint not null default pg_current_xact_id()::text::bigint,
  -- The kinds stand in contract/src/approvals.ts.
  kind text not null,
  subject_kind text not null check (subject_kind in ('order', 'merchant', 'supplier', 'account', 'payoutBatch', 'payScript', 'setting', 'message', 'ipRule', 'botGroup', 'system', 'listedName', 'accessReview', 'export', 'user')),
  subject_id bigint not null,
  payload jsonb not null,
  -- Secrets that the approval puts in force: sealed by the vault, shown to nobody.
  sealed bytea,
  reason text,
  status text not null default 'pending'
    check (status in ('pending', 'approved', 'refused', 'expired', 'withdrawn')),
  -- At most one pending request of its kind about its subject and currency; otherwise any number.
  is_sole boolean not null,
  -- The requester's own key: the same request again is the same row.
  request_key text,
  started_by bigint not null references users (id),
  -- The requester's role as it asked, with its role at its merchant or supplier ('merchant:finance').
  started_as text not null,
  started_at timestamptz not null,
  expires_at timestamptz not null,
  decided_by bigint references users (id),
  decided_at timestamptz,
  decide_reason text,
  -- The result of its execution, written with the decision in one transaction.
  result jsonb,
  -- Of the decision.
  decided_tx_id bigint,
  constraint maker_is_not_checker check (decided_by <> started_by),
  constraint decided_by_someone check ((status in ('approved', 'refused')) = (decided_by is not null)),
  constraint decided_at_some_time check ((status = 'pending') = (decided_at is null)),
  constraint approved_is_executed check ((status = 'approved') = (result is not null)),
  constraint one_request_per_key unique (started_by, request_key)
);
create unique index approvals_sole on approvals (kind, subject_kind, subject_id, coalesce(payload ->> 'currency', '')) where status = 'pending' and is_sole;
create index approvals_pending on approvals (kind, id desc) where status = 'pending';
-- Every open drawer of an order or a batch, and a supplier's list of payouts, ask what waits about it.
create index approvals_subject on approvals (subject_kind, subject_id) where status = 'pending';
create index approvals_started on approvals (started_by, id desc);
-- Every node looks several times a second for new decisions.
create index approvals_decided on approvals (decided_at) where decided_at is not null;
create index approvals_tx on approvals (tx_id);
create index approvals_decided_tx on approvals (decided_tx_id) where decided_tx_id is not null;

-- A request is decided once, and a decision stays as it was made.
create function decide_once() returns trigger language plpgsql as $$
begin
  if old.status <> 'pending' then
    raise exception 'the request % is decided already', old.id using errcode = 'integrity_constraint_violation';
  end if;
  if new.status <> 'pending' then
    new.decided_tx_id := pg_current_xact_id()::text::bigint;
  end if;
  return new;
end
$$;
create trigger approvals_decided_once before update on approvals for each row execute function decide_once();
