-- The state of the ledger when somebody asked for an early settlement. It tells what has come into a balance since. Null: asked for before.
alter table settlement_asked add column as_of pg_snapshot;
