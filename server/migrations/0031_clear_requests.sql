-- The state of the ledger when somebody asked to clear a balance. It tells what has arrived since; times do not, because nodes' clocks differ.
create table clear_requests (
  approval_id bigint primary key references approvals (id),
  as_of pg_snapshot not null
);
