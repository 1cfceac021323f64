-- What a node is sending stands in a table of its own, a row for each merchant of a claim: a claim writes a few rows, not one for
-- every notice (measured: half of what a claim cost the database), and a notice is written once, when it has ended.
create table callback_leases (
  claim bigint not null,
  merchant_id bigint not null,
  -- Those still being sent, or answered and not recorded.
  callback_ids bigint[] not null,
  until timestamptz not null,
  primary key (claim, merchant_id)
);
alter table callbacks drop column leased_until;

-- Every notice has its place among those of its order, so that the first needs no look at the others. Those of before 0020 had none.
update callbacks c set place = v.place
from (select id, row_number() over (partition by order_id order by place, id)::int as place from callbacks
  where order_id in (select order_id from callbacks where place = 0)) v
where v.id = c.id;
alter table callbacks alter column place drop default, add check (place > 0);
