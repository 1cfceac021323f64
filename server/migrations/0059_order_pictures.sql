-- Screenshots of payments that payers or merchants add to an order (AllowPictureQueryOrder).
create table order_pictures (
  id bigint primary key,
  order_id bigint not null,
  source text not null check (source in ('payer', 'merchant')),
  mime text not null check (mime in ('image/png', 'image/jpeg')),
  bytes bytea not null check (length(bytes) between 1 and 524288),
  added_at timestamptz not null
);
create index order_pictures_order on order_pictures (order_id);
