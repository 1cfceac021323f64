import { raw, type Sql, sql } from '../platform/db/database.ts';
import { addTo, grouped, madeFrom, PAIR_DAYS, PAIR_SPANS, PAIRS } from './sums.ts';

/*
 * Sums by merchant and supplier together: by day (PAIRS), and in spans (PAIR_SPANS). A span is made when all its days are over, each time
 * for the next merchants, because all merchants of large days would take half a minute. `pairs_until` and `pairs_merchant` of
 * statistics_state say how far that has come.
 */

const LENGTH = raw(String(PAIR_DAYS));

/** The first day of the span that includes the day. */
export const spanOf = (day: Sql): Sql => sql`(${day} - (${day} - date '1970-01-01') % ${LENGTH})`;
/** The first day after the span that begins at a day. */
export const afterSpan = (first: Sql): Sql => sql`(${first} + ${LENGTH})`;

/** SQL condition on `day` and `merchant_id`: they are in PAIR_SPANS. */
export const IS_IN_PAIR_SPANS: Sql = sql`(day < (select pairs_until from statistics_state)
  or day < (select ${afterSpan(sql`pairs_until`)} from statistics_state) and merchant_id < (select pairs_merchant from statistics_state))`;

/** SQL: CTEs that add rows of `addedBy` to PAIRS, and to the spans that the rows' days are in. */
export const intoPairs = (added: Sql): Sql => sql`
  pairs as materialized (${grouped(PAIRS, added)}),
  to_pairs as (${addTo(PAIRS, sql`select * from pairs`)}),
  to_pair_spans as (${addTo(PAIR_SPANS, madeFrom(raw('pairs'), PAIR_SPANS, IS_IN_PAIR_SPANS))})`;

/**
 * SQL: the merchants at which the span that begins at `first` is cut, so that a part has about `size` orders and payments. A cut is the last
 * merchant of its part.
 */
export const cutsOf = (first: Sql, size: number): Sql => sql`
  select merchant_id from (
    select merchant_id, orders, sum(orders) over (order by merchant_id) as total from (
      select merchant_id, sum(coalesce(created, 0) + coalesce(paid_by_completion, 0)) as orders from statistics_days
      where direction in ('in', 'out') and grain = 5 and day >= ${first} and day < ${afterSpan(first)} group by 1) m) t
  where floor(total / ${raw(String(size))}) > floor((total - orders) / ${raw(String(size))})`;
