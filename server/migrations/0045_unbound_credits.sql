-- Money that a bank returns may fit several accounts of its phone. Each debit of these accounts is compared with it.
create index messages_unbound_credits on messages (monitor_id, id)
  where direction = 'credit' and account_id is null and state in ('ambiguous', 'settledOutside');
