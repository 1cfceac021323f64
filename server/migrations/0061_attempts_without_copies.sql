-- What an attempt sent is its notice's fields and what signing added to them. Only the latter is written; the request is put together
-- again when somebody reads it. Attempts of before have it whole, and so do those at notices that may be taken back while they are sent.
alter table callback_attempts
  alter column request drop not null,
  add column signed text,
  add check (num_nonnulls(request, signed) = 1);
