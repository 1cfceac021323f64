-- Each party, account and KYC record with a listed name is judged alone, so it has a hit of its own. A payment only counts up: its place
-- and name are one row for all payments.
alter table name_hits add column bearer text not null default '';
update name_hits set bearer = subject where place in ('party', 'account', 'kyc');
alter table name_hits drop constraint one_hit_each;
alter table name_hits add constraint one_hit_each unique (place, entry_id, name_key, bearer);

-- Until now a hit overwrote another's party. All parties are looked at again, so that the lost ones appear.
update name_list_version set screened = version - 1 where version > 0;

-- The alert about an entry stays while it has a hit that nobody judged. It is asked for every half minute.
create index name_hits_open on name_hits (entry_id) where state = 'open' and not is_near;
