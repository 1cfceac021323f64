import { BUCKET_RATIO, LAST_BUCKET } from '@sangam/contract/statistics.ts';
import { raw, type Sql, sql } from '../platform/db/database.ts';

/** The bucket of a duration (contract, statistics.ts). */
export const bucketOf = (from: Sql, to: Sql): Sql => sql`
  case when ${to} <= ${from} + interval '1 second' then 0 else least(${raw(String(LAST_BUCKET))},
    1 + floor(ln(date_part('epoch', ${to} - ${from})) / ln(${raw(String(BUCKET_RATIO))}::float8))::int) end`;
