-- Telegram's number of the bot whose token is set: another bot's updates have numbers of their own.
alter table bot_states add column telegram_id bigint;
