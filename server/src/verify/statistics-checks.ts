import { dayDifferences, RANDOM_DAY } from '../statistics/check.ts';
import type { Check } from './check.ts';

/** Sums against orders, of one day at each look; `npm run statistics -- check` looks at all. */
export const STATISTICS_CHECKS: readonly Check[] = [
  { name: 'the statistics of a day are exactly its orders', statement: dayDifferences(RANDOM_DAY) },
];
