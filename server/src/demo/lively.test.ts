import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getFrozenIpList } from '@sangam/contract/endpoints/ip-analysis.ts';
import { getSettlementRows } from '@sangam/contract/endpoints/settlement.ts';
import { getTable } from '@sangam/contract/endpoints/statistics.ts';
import type { Role } from '@sangam/contract/roles.ts';
import { businessDay } from '@sangam/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { APPROVAL_HANDLERS } from '../app/approval-kinds.ts';
import { DAY } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { makePartitions } from '../platform/db/partitions.ts';
import type { Viewer } from '../platform/viewer.ts';
import { checkDay, daysOf } from '../statistics/check.ts';
import { addUp } from '../statistics/keep.ts';
import { ask } from '../testing/ask.ts';
import { brokenChecks } from '../testing/books.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { viewerOf } from '../testing/world.ts';
import { countChanges } from '../traffic/fold.ts';
import { seedDemo } from './seed-demo.ts';

/** The statistics that a person sees who has just started the demo, here with an eighth of its orders. */

const DAYS = 60;
let world: TestPlatform;
let dataDir: string;

beforeAll(async () => {
  world = await createTestPlatform();
  await makePartitions({ db: world.owner, clock: world.clock });
  dataDir = await mkdtemp(join(tmpdir(), 'sangam-demo-'));
  const url = 'http://127.0.0.1:8080';
  await seedDemo(world.platform, { dataDir, url, approvals: APPROVAL_HANDLERS, historyOrders: 3_000 });
  await addUp(world.platform);
  await countChanges(world.platform);
});

afterAll(async () => {
  await world.close();
  await rm(dataDir, { recursive: true, force: true });
});

const daysAgo = (days: number) => businessDay(new Date(world.clock.now().getTime() - days * DAY));

async function partyOf(table: 'merchants' | 'suppliers', account: string): Promise<bigint> {
  const [row] = await world.platform.db.query<{ id: bigint }>(
    table === 'merchants'
      ? sql`select p.id from merchants p join users u on u.id = p.user_id where u.account = ${account}`
      : sql`select p.id from suppliers p join users u on u.id = p.user_id where u.account = ${account}`,
  );
  return row!.id;
}

const byDay = async (viewer: Viewer, orderType: 0 | 1) =>
  (
    await ask(world.platform, viewer, getTable, {
      orderType,
      groupBy: 'day',
      startTime: daysAgo(DAYS),
      endTime: daysAgo(0),
      filing: 'created',
    })
  ).list;

test('the world holds: every check of verify, and the sums of each fifth day are its orders', async () => {
  expect(await brokenChecks(world.platform)).toEqual([]);
  const days = await daysOf(world.platform.db, {});
  expect(days.length).toBeGreaterThanOrEqual(DAYS);
  for (const day of days.filter((_, n) => n % 5 === 0))
    expect(await checkDay(world.platform.db, day), day).toEqual([]);
});

test.each<[string, () => Promise<Viewer>, number, number]>([
  ['admin', async () => viewerOf(world.platform, { role: 'admin' }), 58, 45],
  ['customer service', async () => viewerOf(world.platform, { role: 'customerService' }), 58, 45],
  ['merchant', () => merchant('merchant1'), 58, 40],
  ['small merchant', () => merchant('merchant4'), 40, 10],
  ['supplier', () => supplier('supplier2'), 58, 40],
  ['team head', () => supplier('supplier1'), 58, 40],
])('%s finds numbers of most of the sixty days', async (_, viewer, collections, payouts) => {
  expect((await byDay(await viewer(), 0)).length).toBeGreaterThanOrEqual(collections);
  expect((await byDay(await viewer(), 1)).length).toBeGreaterThanOrEqual(payouts);
});

const merchant = async (account: string) =>
  viewerOf(world.platform, { role: 'merchant' as Role, merchantId: await partyOf('merchants', account) });
const supplier = async (account: string) =>
  viewerOf(world.platform, { role: 'supplier' as Role, supplierId: await partyOf('suppliers', account) });

test('one day was bad, one a festival, and orders were reversed', async () => {
  const days = await byDay(viewerOf(world.platform, { role: 'admin' }), 0);
  const of = (ago: number) => days.find(({ day }) => day === daysAgo(ago))!.measures;
  const mean = (measure: 'created' | 'successRate') =>
    days.reduce((sum, { measures }) => sum + measures[measure]!, 0) / days.length;
  expect(of(9).successRate!).toBeLessThan(mean('successRate') - 0.1);
  expect(of(16).created!).toBeGreaterThan(mean('created') * 1.5);
  expect(days.reduce((sum, { measures }) => sum + measures.reversed!, 0)).toBeGreaterThan(3);
});

test('addresses became abnormal, one is frozen, one exempt', async () => {
  const admin = viewerOf(world.platform, { role: 'admin' });
  const { list } = await ask(world.platform, admin, getFrozenIpList, { page: 1, pageSize: 20 });
  expect(list.map(({ state }) => state).sort()).toEqual([
    'abnormal',
    'abnormal',
    'abnormal',
    'exempt',
    'frozen',
  ]);
});

test('a merchant with a settlement term was settled every bank day, and more is due', async () => {
  const viewer = await merchant('merchant3');
  const { list } = await ask(world.platform, viewer, getSettlementRows, { page: 1, pageSize: 100 });
  expect(list.length).toBeGreaterThan(30);
  const due = await world.platform.db.query(sql`
    select from ledger_accounts where bucket = 'pending' and owner_id = ${viewer.merchantId} and balance > 0`);
  expect(due.length).toBeGreaterThan(0);
});
