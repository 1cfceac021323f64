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
