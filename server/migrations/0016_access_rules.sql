-- Rules about addresses: who may come in from where.

create table ip_rules (
  id bigint primary key,
  door text not null check (door in ('console', 'merchantApi', 'monitorApi', 'payPage')),
  effect text not null check (effect in ('allow', 'deny')),
  -- anyone, role:NAME, user:ID or merchant:ID (contract/src/ip-rules.ts).
  subject text not null check (subject ~ '^(anyone|role:[A-Za-z]+|(user|merchant):[0-9]+)$'),
  -- IPv4 written as IPv6 is kept as IPv4.
  network cidr not null,
  note text not null check (length(note) <= 256),
  expires_at timestamptz,
  -- Counted in the memory of each node and added every few seconds.
  hits bigint not null default 0,
  last_hit_at timestamptz,
  changed_by bigint not null references users (id),
  changed_at timestamptz not null,
  constraint one_ip_rule_each unique (door, subject, network)
);

-- Names that may not pay, be paid, or be a party.

create table name_lists (
  id bigint primary key,
  -- 'own', or where it was imported from.
  source text not null unique check (length(source) between 1 and 64),
  format text not null check (format in ('own', 'csv', 'un', 'ofac')),
  -- As the source says.
  list_date date,
  imported_by bigint references users (id),
  imported_at timestamptz
);

create table listed_names (
  id bigint primary key,
  list_id bigint not null references name_lists (id),
  -- The source's own name of the entry.
  reference text not null,
  names text[] not null,
  -- VPA, account, phone, document number: keyed hashes, `kind:hash`. The values are not kept.
  marks text[] not null,
  note text not null,
  added_by bigint not null references users (id),
  added_at timestamptz not null,
  unique (list_id, reference)
);

-- A name that was found to be somebody else's than the entry's.
create table name_exemptions (
  entry_id bigint not null references listed_names (id),
  name_key text not null,
  approved_by bigint not null references users (id),
  approved_at timestamptz not null,
  primary key (entry_id, name_key)
);

-- The same name at the same place is one row that counts. Hits stay when their entry goes.
create table name_hits (
  id bigint primary key,
  entry_id bigint not null,
  list text not null,
  listed text not null,
  place text not null check (place in ('collection', 'payout', 'claim', 'send', 'credit', 'party', 'account', 'kyc')),
  -- Who or what bore the name last.
  subject text not null,
  name text not null,
  name_key text not null,
  by text not null check (by in ('name', 'vpa', 'account', 'phone', 'document')),
  score smallint not null,
  is_near boolean not null,
  count int not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  state text not null default 'open' check (state in ('open', 'same', 'other')),
  decided_by bigint references users (id),
  decided_at timestamptz,
  decide_reason text,
  constraint one_hit_each unique (place, entry_id, name_key)
);

-- One row. Nodes read the lists anew when the version has risen; `screened` is the one all parties were looked at by.
create table name_list_version (
  id smallint primary key check (id = 1),
  version bigint not null,
  screened bigint not null
);
insert into name_list_version (id, version, screened) values (1, 0, 0);
