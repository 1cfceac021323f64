-- A subject's records follow each other as they were submitted, under the subject's lock: ids of two nodes do not tell that order.
alter table kyc_records add column place int not null default 0;
drop index kyc_subject;
create index kyc_subject on kyc_records (subject_kind, subject_id, place desc, id desc);
