-- An account may expect the messages of several orders of one sum that operators have completed. One column knew the last of them only.
alter table cooling_amounts add column awaiting_ids bigint[] not null default '{}';
update cooling_amounts set awaiting_ids = array[awaiting_id] where awaiting_id is not null;
alter table cooling_amounts drop column awaiting_id;
