-- Telegram bots: whom they speak to, what they have to say, what they were told.

create table bot_groups (
  id bigint primary key,
  bot text not null check (bot in ('alert', 'transfer')),
  -- Telegram's id. It changes when a group becomes a supergroup.
  chat_id bigint not null,
  title text not null check (length(title) between 1 and 128),
  merchant_id bigint references merchants (id),
  supplier_id bigint references suppliers (id),
  -- Kinds of alerts it is sent.
  kinds text[] not null,
  -- Whose words count; none: everybody's in the group.
  sender_ids bigint[] not null,
  per_minute smallint not null check (per_minute between 1 and 20),
  quiet_from smallint check (quiet_from between 0 and 1439),
  quiet_to smallint check (quiet_to between 0 and 1439),
  locale text not null,
  enabled boolean not null,
  -- Telegram said to wait.
  paused_until timestamptz,
  last_error text,
  created_at timestamptz not null,
  unique (bot, chat_id),
  constraint of_one_party check (merchant_id is null or supplier_id is null),
  constraint transfers_need_party_and_senders
    check (bot <> 'transfer' or (merchant_id is not null or supplier_id is not null) and cardinality(sender_ids) > 0),
  constraint quiet_is_a_span check ((quiet_from is null) = (quiet_to is null) and quiet_from <> quiet_to)
);

-- How a bot is; written by the node that listens.
create table bot_states (
  bot text primary key check (bot in ('alert', 'transfer')),
  username text,
  -- Of the last update that was worked on.
  update_id bigint not null default 0,
  -- Where Telegram sends updates by itself; null: it is asked.
  webhook_url text,
  polled_at timestamptz,
  updated_at timestamptz,
  last_error text,
  paused_until timestamptz
);

-- An update is worked on once, however often Telegram tells it.
create table bot_updates (
  bot text not null,
  update_id bigint not null,
  received_at timestamptz not null,
  primary key (bot, update_id)
);
create index bot_updates_received on bot_updates (received_at);

-- Chats that are not on the white list.
create table bot_unknown_chats (
  id bigint primary key,
  bot text not null,
  chat_id bigint not null,
  title text not null,
  count int not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  unique (bot, chat_id)
);

-- What is to be said, and what was.
create table bot_messages (
  id bigint primary key,
  bot text not null check (bot in ('alert', 'transfer')),
  group_id bigint not null references bot_groups (id) on delete cascade,
  kind text not null check (kind in ('alert', 'reminder', 'edit', 'text', 'fundRecord')),
  alert_id bigint references alerts (id),
  -- Of an edit: the message it changes.
  edits_id bigint references bot_messages (id) on delete cascade,
  -- Text, or the day of a fund record; an alert's text is made when it is sent.
  body text,
  -- 0 goes first: answers, then critical alerts, then the others.
  urgency smallint not null,
  state text not null check (state in ('waiting', 'sent', 'dropped')),
  due_at timestamptz not null,
  attempts int not null default 0,
  last_error text check (length(last_error) <= 300),
  token uuid,
  leased_until timestamptz,
  -- It was told in one message with others.
  is_summed boolean not null default false,
  -- Telegram's number of it in the chat.
  message_id bigint,
  created_at timestamptz not null,
  sent_at timestamptz,
  constraint alerts_have_one check ((kind in ('alert', 'reminder', 'edit')) = (alert_id is not null)),
  constraint sent_at_some_time check ((state = 'sent') = (sent_at is not null))
);
create index bot_messages_waiting on bot_messages (group_id, urgency, id) where state = 'waiting';
create index bot_messages_sent on bot_messages (group_id, sent_at) where state = 'sent';
create index bot_messages_alert on bot_messages (alert_id) where alert_id is not null;

-- A day's record is sent to a group once.
create table bot_fund_records (
  group_id bigint not null references bot_groups (id) on delete cascade,
  day date not null,
  primary key (group_id, day)
);

create table transfer_instructions (
  id bigint primary key,
  group_id bigint not null references bot_groups (id),
  update_id bigint not null unique,
  sender_id bigint not null,
  sender text not null,
  text text not null check (length(text) <= 4096),
  -- What was understood; minor units.
  amount bigint check (amount > 0),
  currency text,
  payee text,
  purpose text,
  state text not null check (state in ('unclear', 'pending', 'confirmed', 'done', 'refused')),
  -- The request of the first decision, and that of the second, which moves the money.
  todo_id bigint references approvals (id),
  second_todo_id bigint references approvals (id),
  created_at timestamptz not null,
  ended_at timestamptz,
  constraint asked_when_understood check ((state = 'unclear') = (todo_id is null)),
  constraint done_by_two check (state not in ('confirmed', 'done') or second_todo_id is not null)
);
create index transfer_instructions_open on transfer_instructions (id) where state in ('pending', 'confirmed');
