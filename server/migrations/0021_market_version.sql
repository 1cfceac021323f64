-- What people set up and allocation chooses from: accounts, suppliers, merchants, terms, products, KYC. Nodes remember it under
-- the version that stood here when they read it, and each allocation reads the version with what moves all the time, so
-- nothing is chosen by what a committed change has made untrue. The trigger is deferred: the row is locked only while a
-- change commits. (A later migration that changes rows of these tables and then alters them says 'set constraints all
-- immediate' in between.)
create table market_version (
  only_row boolean primary key default true check (only_row),
  version bigint not null
);
insert into market_version (version) values (0);

create function note_market_change() returns trigger language plpgsql as $$
begin
  -- Once a transaction, however many rows it changes.
  update market_version set version = txid_current() where version <> txid_current();
  return null;
end
$$;

create constraint trigger market_changed after insert or update or delete on accounts
  deferrable initially deferred for each row execute function note_market_change();
create constraint trigger market_changed after insert or update or delete on resources
  deferrable initially deferred for each row execute function note_market_change();
create constraint trigger market_changed after insert or update or delete on suppliers
  deferrable initially deferred for each row execute function note_market_change();
create constraint trigger market_changed after insert or update or delete on merchants
  deferrable initially deferred for each row execute function note_market_change();
create constraint trigger market_changed after insert or update or delete on products
  deferrable initially deferred for each row execute function note_market_change();
create constraint trigger market_changed after insert or update or delete on user_products
  deferrable initially deferred for each row execute function note_market_change();
create constraint trigger market_changed after insert or update or delete on kyc_records
  deferrable initially deferred for each row execute function note_market_change();
