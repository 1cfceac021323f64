import { BUCKET_DIGITS, BUCKET_RATIO, LAST_BUCKET } from '@sangam/contract/statistics.ts';
import { raw, type Sql, sql } from '../platform/db/database.ts';

/** The bucket of a duration (contract, statistics.ts). */
export const bucketOf = (from: Sql, to: Sql): Sql => sql`
  case when ${to} <= ${from} + interval '1 second' then 0 else least(${raw(String(LAST_BUCKET))},
    1 + floor(ln(date_part('epoch', ${to} - ${from})) / ln(${raw(String(BUCKET_RATIO))}::float8))::int) end`;

/** One order in the bucket of its duration, as a number that can be summed. Null when the duration has not ended. */
export const inBucket = (from: Sql, to: Sql): Sql =>
  sql`case when ${to} is not null then ('1e' || (${bucketOf(from, to)}) * ${raw(String(BUCKET_DIGITS))})::numeric end`;

/** The orders in each bucket that has any, from a sum of `inBucket` as PostgreSQL writes it. */
export function bucketsOf(sum: string): Map<number, number> {
  const buckets = new Map<number, number>();
  for (let end = sum.length, bucket = 0; end > 0; end -= BUCKET_DIGITS, bucket += 1) {
    const orders = Number(sum.slice(Math.max(0, end - BUCKET_DIGITS), end));
    if (orders !== 0) buckets.set(bucket, orders);
  }
  return buckets;
}
