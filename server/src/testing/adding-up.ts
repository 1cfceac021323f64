import { DAY } from '../platform/clock.ts';
import { openDatabase } from '../platform/db/database.ts';
import { daysOf } from '../statistics/check.ts';
import { addUp, settleOrders, sumUpDays } from '../statistics/keep.ts';
import { rebuild } from '../statistics/rebuild.ts';

/*
 * A process that adds up statistics without end, or rebuilds them, so that a test can kill it: `adding-up.ts DATABASE_URL [rebuild]`. It
 * reports when it begins and ends each transaction.
 */

const [, , url, task] = process.argv;
/** So that all days of the orders are over, and go into spans. */
const AHEAD = 20 * DAY;
const platform = {
  db: openDatabase(url!, { maxConnections: 2 }),
  clock: { now: () => new Date(Date.now() + AHEAD) },
};
const ORDERS_OF_BATCH = 100;

for (;;) {
  process.send!('begins');
  if (task === 'rebuild') await rebuild(platform, await daysOf(platform.db, {}), ORDERS_OF_BATCH);
  else await settleOrders(platform, ORDERS_OF_BATCH);
  const changes = task === 'rebuild' ? 0 : await addUp(platform);
  await sumUpDays(platform, ORDERS_OF_BATCH);
  process.send!(`added ${changes ?? 0}`);
  if (!changes) await new Promise((resolve) => setTimeout(resolve, 5));
}
