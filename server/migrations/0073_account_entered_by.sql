-- Who entered whose account it is: they do not review the proof of its ownership. Of accounts there are already, the audit knows.
alter table accounts add column entered_by bigint[] not null default '{}';
update accounts a set entered_by = entered.user_ids
from (
  select l.subject, array_agg(distinct l.user_id) as user_ids
  from audit_log l
  where l.user_id is not null and (l.action = 'account.create' or l.action = 'account.update' and exists (
    select from unnest(array['bank', 'ownerName', 'accountNumber', 'ifsc', 'vpa']) as field
    where l.before -> field is distinct from l.after -> field))
  group by l.subject
) entered
where entered.subject = 'account:' || a.id;
