-- Spans of blocks as the check last read them, with the number of rows that it found there: counting them again is a hundred times
-- cheaper than reading them. A span in which rows were removed or put in is read again at once.
create table audit_spans (
  first bigint primary key,
  last bigint not null,
  from_tx bigint not null,
  to_tx bigint not null,
  row_count int not null,
  check (last >= first and to_tx > from_tx and row_count >= 0)
);

alter table audit_checks
  -- The turn under way reads as fast as it can, because something was changed.
  add column in_hurry boolean not null default false,
  -- When the rows of the spans are counted next. Null: at once.
  add column count_due timestamptz,
  -- What PostgreSQL said of the sealed tables at the last look: [{oid, table, low, high, state, updates}].
  add column parts jsonb;

alter table job_runs
  -- Null: the job ran by schedule.
  alter column started_by drop not null,
  -- When a node began the work. Null: the run waits for a node that has the owner's connection.
  add column taken_at timestamptz;
update job_runs set taken_at = started_at;
