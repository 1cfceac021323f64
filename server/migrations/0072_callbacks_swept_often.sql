-- A look for what is due passes every entry of the index that was acknowledged since the last sweep, 0.1 µs each: of ten million
-- callbacks PostgreSQL would let two million gather. Swept at a hundredth, they are on so few pages that it would leave them in
-- the index, if it were not told.
alter table callbacks set (
  autovacuum_vacuum_scale_factor = 0.01,
  autovacuum_vacuum_threshold = 10000,
  vacuum_index_cleanup = on
);
