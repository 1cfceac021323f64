-- Credits whose messages wait before they are matched (setting MessageDelay): another wording may come late. Stored as held.
create table delayed_messages (
  message_id bigint primary key,
  account_id bigint not null,
  until timestamptz not null,
  -- By so much the clock of the phone was behind ours when it reported.
  clock_behind_ms int not null
);
create index delayed_messages_until on delayed_messages (until);
create index delayed_messages_account on delayed_messages (account_id, until);
