-- Who has revealed how many masked values lately is asked at each look of the alerts. These rows are few among those of the audit.
create index audit_log_reveals on audit_log (id) where action in ('account.reveal', 'order.reveal');
