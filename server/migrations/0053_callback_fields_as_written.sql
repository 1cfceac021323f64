-- The fields of a notice are read as often as they are written, and nothing is looked for in them: as json they go in and out as they
-- are, and reach the merchant in the order in which they are documented.
alter table callbacks alter column fields type json using fields::json;
