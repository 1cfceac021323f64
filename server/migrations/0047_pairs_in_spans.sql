-- Sums by merchant and supplier together were kept by day only, so a question about one merchant's suppliers over months read every day.
-- Now spans of 8 days have grain 3 too: merchant, supplier and account, without the product. The worker makes those of past days in pieces;
-- until then questions read the days.
alter table statistics_spans drop constraint statistics_spans_span_check, add constraint statistics_spans_span_check check (span in (1, 4, 8, 16));
create index statistics_spans_supplier on statistics_spans (supplier_id, direction, span, day) where grain = 3;

-- Earlier days are in the spans of grain 3. Of the 8 days from there on, only merchants with smaller ids than this are.
alter table statistics_state add column pairs_until date not null default '-infinity', add column pairs_merchant bigint not null default 0;
