-- A bank's reversal may fit several accounts of its phone, and name the payment in its text alone. Each credit that comes after it is compared with it.
create index messages_unbound_debits on messages (monitor_id, id)
  where direction = 'debit' and state = 'ambiguous' and reason = 'severalAccounts';
