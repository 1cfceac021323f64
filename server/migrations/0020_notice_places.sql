-- Notices of one order go out in the order they were written, under the order's lock. Ids of different nodes do not tell
-- that order: two nodes may number within one millisecond, or by clocks apart.
alter table callbacks add column place int not null default 0;
