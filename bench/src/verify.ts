import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { APPROVAL_HANDLERS } from '@sangam/server/app/approval-kinds.ts';
import { seedDemo } from '@sangam/server/demo/seed-demo.ts';
import { DAY, SECOND } from '@sangam/server/platform/clock.ts';
import { startEmbedded } from '@sangam/server/platform/db/embedded.ts';
import { migrate } from '@sangam/server/platform/db/migrate.ts';
import { ensurePartitions } from '@sangam/server/platform/db/partitions.ts';
import { snapshotsOf, verify } from '@sangam/server/verify/verify.ts';
import { benchPlatform } from './rig.ts';

/*
 * How long `verify` holds its snapshots over the books of many orders with their entries, messages and history. Uses a demo world,
 * seeded once and kept in the system's temporary folder. No snapshot may last longer than ten seconds.
 *
 * Seeding 1,000,000 orders needs more memory than Node allows by itself:
 *
 *   NODE_OPTIONS=--max-old-space-size=14000 npm run bench -- verify [--orders 1000000]
 */
const { values } = parseArgs({ options: { orders: { type: 'string', default: '1000000' } } });
const orders = Number(values.orders);
/** The share of collection orders among a demo world's orders. */
const COLLECTIONS = 0.85;
const HISTORY_DAYS = 180;
const MOST = 10 * SECOND;

const folder = join(tmpdir(), `sangam-books-${orders}`);
const seconds = (ms: number) => `${(ms / SECOND).toFixed(1)} s`;

async function seed(): Promise<void> {
  const startedAt = performance.now();
  const building = `${folder}.building`;
  await rm(building, { recursive: true, force: true });
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_wal_size: '8GB' };
  const embedded = await startEmbedded({ dataDir: building, log: () => undefined, settings });
  const platform = benchPlatform({ databaseUrl: embedded.url, dataDir: building, port: 0 });
  try {
    await migrate(embedded.url);
    await ensurePartitions(
      platform.db,
      new Date(Date.now() - (HISTORY_DAYS + 31) * DAY),
      new Date(Date.now() + 31 * DAY),
    );
    await seedDemo(platform, {
      dataDir: building,
      url: 'http://127.0.0.1:1',
      approvals: APPROVAL_HANDLERS,
      historyOrders: Math.ceil(orders / COLLECTIONS),
      historyDays: HISTORY_DAYS,
      receivingAccounts: 300,
    });
  } finally {
    await platform.db.close();
    await embedded.stop();
  }
  await rename(building, folder);
  console.log(`seeded in ${seconds(performance.now() - startedAt)}`);
}

if (!existsSync(folder)) {
  console.log(`seeding ${orders} orders with their books in ${folder}`);
  await seed();
}
const embedded = await startEmbedded({ dataDir: folder, log: () => undefined });
const platform = benchPlatform({ databaseUrl: embedded.url, dataDir: folder, port: 0 });
let longest = 0;
let count = 0;
const startedAt = performance.now();
try {
  const snapshot = await snapshotsOf(platform.db);
  let longestOfCheck = 0;
  const timed: typeof snapshot = async (read) => {
    const began = performance.now();
    const result = await snapshot(read);
    longestOfCheck = Math.max(longestOfCheck, performance.now() - began);
    count += 1;
    return result;
  };
  for await (const { name, ok, detail } of verify(timed)) {
    if (!ok) {
      console.log(`  ${name}: ${detail}`);
      process.exitCode = 1;
    }
    if (longestOfCheck > SECOND) console.log(`  ${name}: a snapshot of ${seconds(longestOfCheck)}`);
    longest = Math.max(longest, longestOfCheck);
    longestOfCheck = 0;
  }
} finally {
  await platform.db.close();
  await embedded.stop();
}
console.log(
  `${count} snapshots over ${orders} orders in ${seconds(performance.now() - startedAt)}; the longest took ${seconds(longest)}`,
);
if (longest > MOST) process.exitCode = 1;
