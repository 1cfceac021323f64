-- Message templates of the operator: their own, and changed copies of shipped ones (same id). What is not here is as shipped.

create table message_templates (
  id text primary key check (id ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(id) <= 64),
  version int not null check (version > 0),
  template jsonb not null,
  updated_at timestamptz not null,
  updated_by bigint references users (id)
);

create table message_template_versions (
  template_id text not null references message_templates (id),
  version int not null,
  template jsonb not null,
  created_at timestamptz not null,
  created_by bigint references users (id),
  primary key (template_id, version)
);

-- Sender numbers of banks beyond those shipped; matched exactly, one bank each.
create table bank_headers (
  header text primary key check (header ~ '^[A-Z0-9]{3,12}$'),
  bank text not null check (length(bank) between 1 and 64),
  created_at timestamptz not null,
  created_by bigint references users (id)
);

-- Counts changes of the set: nodes compare it with what they have compiled.
create table message_template_set (
  only_row boolean primary key default true check (only_row),
  version bigint not null
);
insert into message_template_set (version) values (0);
