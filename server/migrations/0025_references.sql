-- A reference of a bank or chain, never a placeholder: the first order that took '-' or 'NA' would keep it from all others
-- (contract/src/references.ts says the same, and a little more).
alter table utr_uses add constraint utr_is_a_reference check (utr ~ '^[A-Z0-9]{6,80}$' and utr ~ '([0-9].*){3}');
