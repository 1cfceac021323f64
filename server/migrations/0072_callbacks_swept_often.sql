-- A look for what is due passes every entry of the index that was acknowledged since the last sweep, at 0.1 µs each (measured): of
-- ten million callbacks PostgreSQL would let two million gather, and, for they are few of its pages, leave them in the index.
alter table callbacks set (
  autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_vacuum_threshold = 10000,
  vacuum_index_cleanup = on
);
