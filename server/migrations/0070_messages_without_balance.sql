-- What may explain a gap of an account's chain: read at each placing, however much else the account's phone told.
create index messages_floats on messages (account_id, id) where balance is null and direction is not null;
