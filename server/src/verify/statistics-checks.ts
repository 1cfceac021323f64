import { checksOfDay, RANDOM_DAY } from '../statistics/check.ts';
import type { Check } from './check.ts';

/** Compares the sums of one random day in each run with its orders; `npm run statistics -- check` compares all days. */
export const STATISTICS_CHECKS: readonly Check[] = [
  {
    name: 'the statistics of a day are exactly its orders',
    statements: (read, rows) => checksOfDay(read, RANDOM_DAY, rows),
  },
];
