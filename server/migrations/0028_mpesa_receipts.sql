-- Receipts of M-Pesa have ten characters, and often one digit or none. Not compared with the rows there are: they hold the stricter rule.
alter table utr_uses drop constraint utr_is_a_reference;
alter table utr_uses add constraint utr_is_a_reference check (
  utr ~ '^[A-Z0-9]{6,80}$' and (utr ~ '([0-9].*){3}' or family = 'MPESA' and utr ~ '^[A-Z0-9]{10}$'
    -- Whoever types a receipt does not say that it is one.
    or utr ~ '^[A-Z][A-L][1-9A-V][A-Z0-9]{7}$' and utr ~ '[0-9]')) not valid;
