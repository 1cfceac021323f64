import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { businessDay } from '@sangam/contract/time.ts';
import { runWhatIf } from '@sangam/server/analysis/what-if/run.ts';
import { createOrders } from '@sangam/server/collection/create.ts';
import { expireDue } from '@sangam/server/collection/expire.ts';
import { DAY, HOUR, MINUTE } from '@sangam/server/platform/clock.ts';
import { sql } from '@sangam/server/platform/db/database.ts';
import { startEmbedded } from '@sangam/server/platform/db/embedded.ts';
import { migrate } from '@sangam/server/platform/db/migrate.ts';
import { createIdMaker } from '@sangam/server/platform/db/ids.ts';
import { ensurePartitions } from '@sangam/server/platform/db/partitions.ts';
import { isRefusal } from '@sangam/server/platform/refusal.ts';
import { newOrder } from '@sangam/server/testing/payments.ts';
import {
  makeAccount,
  makeMerchant,
  makeMonitor,
  makeSupplier,
  viewerOf,
} from '@sangam/server/testing/world.ts';
import { benchPlatform } from './rig.ts';

/*
 * The real allocation serves a day of orders on a moved clock; then the what-if replays that day with nothing changed. Every order
 * must get the account it had, within 30 seconds.
 *
 *   npm run bench -- what-if [--orders 100000] [--accounts 300]
 */
const { values } = parseArgs({
  options: { orders: { type: 'string', default: '100000' }, accounts: { type: 'string', default: '300' } },
});
const [orders, accounts] = [Number(values.orders), Number(values.accounts)];
/** Orders created at the same moment. */
const TOGETHER = 50;
/** The node slot in the ids. */
const SLOT = 1;
const dataDir = await mkdtemp(join(tmpdir(), 'sangam-bench-what-if-'));
const embedded = await startEmbedded({ dataDir, log: () => undefined });
let now = new Date();
const clock = { now: () => now };
const platform = {
  ...benchPlatform({ databaseUrl: embedded.url, dataDir, port: 0 }),
  clock,
  ids: createIdMaker(clock, SLOT),
};
const { db } = platform;

/** Moves the clock; what becomes due is swept at the minute it is due. */
async function goTo(moment: Date): Promise<void> {
  for (let next = new Date(now.getTime() + MINUTE); next < moment; next = new Date(next.getTime() + MINUTE))
    await sweep(next);
  await sweep(moment);
}

async function sweep(moment: Date): Promise<void> {
  now = moment;
  while ((await expireDue(platform)) > 0);
}

try {
  await migrate(embedded.url);
  // From the first minute of the next business day.
  const start = new Date(now.getTime() + DAY - ((now.getTime() + 5.5 * HOUR) % DAY) + MINUTE);
  await ensurePartitions(db, new Date(now.getTime() - 31 * DAY), new Date(now.getTime() + 40 * DAY));
  const { supplierId } = await makeSupplier(platform, { deposit: 10n ** 17n });
  const { monitorId } = await makeMonitor(platform, { supplierId });
  for (let made = 0; made < accounts; made += 1)
    await makeAccount(platform, { supplierId, monitorId, maxWaiting: 30, dailyCountLimit: 600 });
  const { merchantId } = await makeMerchant(platform);
  await db.query(sql`update monitors set last_seen_at = now() + interval '5 days'`);
  now = start;
  const day = businessDay(now);
  let [made, refused] = [0, 0];
  const startedAt = performance.now();
  for (; made < orders; made += TOGETHER) {
    await goTo(new Date(start.getTime() + Math.floor((made / orders) * 23 * HOUR)));
    const inputs = Array.from({ length: TOGETHER }, (_, n) =>
      newOrder(merchantId, { amount: BigInt(100 + ((made + n * 7919) % 400)) * 100n }),
    );
    refused += (await createOrders(platform, inputs)).filter(
      (order) => isRefusal(order) || order.accountId === null,
    ).length;
  }
  await goTo(new Date(start.getTime() + DAY + 2 * HOUR));
  console.log(
    `  ${made} orders created in ${((performance.now() - startedAt) / 1000).toFixed(1)} s, ${refused} without an account`,
  );
  const answer = await runWhatIf(platform, viewerOf(platform, { role: 'admin' }), { day });
  if (isRefusal(answer)) throw new Error(answer.code);
  console.log(
    `what-if of ${answer.asItWas.orders} orders: ${(answer.tookMs / 1000).toFixed(1)} s (to hold: at most 30); same account: ${answer.sameAccount} of ${answer.asItWas.orders}`,
  );
} finally {
  platform.state.stop();
  await db.close();
  await embedded.stop();
  await rm(dataDir, { recursive: true, force: true });
}
