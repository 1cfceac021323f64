-- Each restore of the database to an earlier moment that `npm run restored` has made safe.
create table restorations (
  restored_to timestamptz primary key,
  done_at timestamptz not null check (done_at >= restored_to)
);
