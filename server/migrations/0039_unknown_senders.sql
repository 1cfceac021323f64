-- People who wrote in a group of the white list and may not instruct its bot. They got no answer.
create table bot_unknown_senders (
  id bigint primary key,
  group_id bigint not null references bot_groups (id) on delete cascade,
  -- Telegram's id of the person.
  sender_id bigint not null,
  name text not null,
  count int not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  unique (group_id, sender_id)
);
