import { APPROVAL_HANDLERS } from '../app/approval-kinds.ts';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getPayoutBatchList } from '@sangam/contract/endpoints/payout-batch.ts';
import { whatIf } from '@sangam/contract/endpoints/what-if.ts';
import { businessDay } from '@sangam/contract/time.ts';
import { ROLES } from '@sangam/contract/roles.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY } from '../platform/clock.ts';
import { openDatabase, raw, sql } from '../platform/db/database.ts';
import { makePartitions } from '../platform/db/partitions.ts';
import { openSetting } from '../platform/settings/secret.ts';
import { ask } from '../testing/ask.ts';
import { brokenChecks } from '../testing/books.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { viewerOf } from '../testing/world.ts';
import type { DemoFile } from './demo-file.ts';
import { seedDemo } from './seed-demo.ts';

let world: TestPlatform;
let dataDir: string;
const url = 'http://127.0.0.1:8080';

beforeAll(async () => {
  world = await createTestPlatform();
  await makePartitions({ db: world.owner, clock: world.clock });
  dataDir = await mkdtemp(join(tmpdir(), 'sangam-demo-'));
  const nodes = [world.platform, world.anotherNode()];
  const outcomes = await Promise.all(
    nodes.map((node) => seedDemo(node, { dataDir, url, approvals: APPROVAL_HANDLERS, historyOrders: 300 })),
  );
  expect(outcomes.filter(({ seeded }) => seeded)).toHaveLength(1);
});

afterAll(async () => {
  await world.close();
  await rm(dataDir, { recursive: true, force: true });
});

const count = async (statement: ReturnType<typeof sql>): Promise<number> =>
  (await world.platform.db.query<{ n: number }>(statement))[0]!.n;

async function readFileOfDemo(): Promise<DemoFile> {
  return JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')) as DemoFile;
}

test('a history that takes longer to make up than a transaction may idle is seeded all the same', async () => {
  const fresh = await createTestPlatform();
  await makePartitions({ db: fresh.owner, clock: fresh.clock });
  const db = openDatabase(fresh.url, { limits: { idleInTransaction: 200 } });
  const folder = await mkdtemp(join(tmpdir(), 'sangam-demo-'));
  try {
    const options = { dataDir: folder, url, approvals: APPROVAL_HANDLERS, historyOrders: 8_000 };
    expect(await seedDemo({ ...fresh.platform, db }, options)).toMatchObject({ seeded: true });
  } finally {
    await db.close();
    await fresh.close();
    await rm(folder, { recursive: true, force: true });
  }
});

test('the file names a user for each role, both sign types and a monitor for every account, and is private', async () => {
  const demo = await readFileOfDemo();
  expect((await stat(join(dataDir, 'demo.json'))).mode & 0o777).toBe(0o600);
  expect(demo.url).toBe(url);
  expect(new Set(demo.users.map(({ role }) => role))).toEqual(new Set(ROLES));
  for (const user of demo.users) expect(user.password).toMatch(/^(?=.*\d)(?=.*[a-z]).{8,}$/);
  expect(new Set(demo.merchants.map(({ signType }) => signType))).toEqual(new Set(['hmac-sha256-v2', 'md5']));
  const resources = demo.monitors.flatMap(({ accounts }) => accounts);
  expect(resources).toHaveLength(
    await count(
      sql`select count(*)::int as n from resources join accounts a on a.id = account_id where a.monitor_id is not null`,
    ),
  );
  expect(new Set(resources.map(({ bank }) => bank)).size).toBe(5);
});

test('the ledger and the orders of the past hold', async () => {
  expect(await brokenChecks(world.platform)).toEqual([]);
});

test('a pay script was tried, released by two people and is what an open account uses', async () => {
  const scripts = await world.platform.db.query(sql`
    select s.live_version as live, (select count(*)::int from pay_script_versions v where v.script_id = s.id) as versions,
      (select count(*)::int from accounts a where a.pay_script_id = s.id) as accounts,
      (select array_agg(coalesce(c.failure, c.function) order by c.id) from pay_script_calls c where c.script_id = s.id) as calls,
      (select started_by <> decided_by from approvals p where p.kind = 'payScriptRelease' and p.status = 'approved') as two
    from pay_scripts s`);
  expect(scripts).toEqual([
    {
      live: 2,
      versions: 2,
      accounts: 1,
      calls: ['thrown', 'createOrder', 'payout', 'createOrder', 'query', 'parseNotify', 'payout'],
      two: true,
    },
  ]);
  const { scriptGateway } = await readFileOfDemo();
  expect(scriptGateway).toMatchObject({ url: world.platform.config.demoScriptUrl });
});

test('both bots speak to groups that one person asked for and another let in', async () => {
  const groups = await world.platform.db.query(sql`
    select g.bot, g.enabled, a.started_by <> a.decided_by as "byTwo" from bot_groups g
    join approvals a on a.kind = 'botGroup' and a.subject_id = g.id and a.status = 'approved' order by g.id`);
  expect(groups).toEqual(['alert', 'alert', 'transfer'].map((bot) => ({ bot, enabled: true, byTwo: true })));
  for (const name of ['BotToken', 'TransferBotToken'] as const)
    expect(await openSetting(world.platform, name)).toMatch(/^\d+:demo-/);
});

test('a merchant has an account of its own that an admin agreed to', async () => {
  const beneficiaries = await world.platform.db.query(sql`
    select b.name, u.role from beneficiaries b join approvals a on a.id = b.approval_id join users u on u.id = a.decided_by`);
  expect(beneficiaries).toEqual([{ name: 'Chowk Bazaar Pvt Ltd', role: 'admin' }]);
});

test('suppliers added the bank’s receipt to payouts they paid, soon after', async () => {
  const slips = await world.platform.db.query<{ own: boolean; after: boolean; bytes: number }>(sql`
    select p.supplier_id = o.supplier_id as own, p.added_at between o.finished_at and o.finished_at + interval '5 minutes' as after,
      length(p.bytes) as bytes
    from payout_slips p join payout_orders o on o.id = p.order_id`);
  expect(slips).toHaveLength(6);
  expect(slips.every(({ own, after, bytes }) => own && after && bytes > 200)).toBe(true);
});

test('one batch of payouts is paid and closed, and of another the bank’s result waits for a second person', async () => {
  const admin = viewerOf(world.platform, { role: 'admin' });
  const { list } = await ask(world.platform, admin, getPayoutBatchList, { page: 1, pageSize: 20 });
  expect(list.map(({ status, count, proposed, states }) => ({ status, count, proposed, states }))).toEqual([
    { status: 'sent', count: 4, proposed: 4, states: [{ state: 'pending', count: 4, amount: 16_425_00 }] },
    {
      status: 'closed',
      count: 5,
      proposed: 0,
      states: [{ state: 'completed', count: 5, amount: 17_150_00 }],
    },
  ]);
});

test('the what-if analysis gives the orders of a past day the accounts that they had', async () => {
  const superAdmin = viewerOf(world.platform, { role: 'superAdmin' });
  const yesterday = new Date(world.clock.now().getTime() - DAY);
  const answer = await ask(world.platform, superAdmin, whatIf, { day: businessDay(yesterday) });
  expect(answer.asItWas.orders).toBeGreaterThan(0);
  expect(answer.sameAccount).toBe(answer.asItWas.orders);
});

test('balances run on in the order of time', async () => {
  const jumps = await count(sql`
    select count(*)::int as n from (
      select balance_after - amount - lag(balance_after, 1, 0::bigint) over (partition by account_id order by id) as jump
      from ledger_entries
    ) steps where jump <> 0`);
  expect(jumps).toBe(0);
});

test('orders ended in every way, most were paid, and nothing of the past is left to do', async () => {
  const statuses = await world.platform.db.query<{ status: number; n: number }>(
    sql`select status, count(*)::int as n from collection_orders group by status order by status`,
  );
  expect(statuses.map(({ status }) => status)).toEqual([2, 3, 4, 5]);
  expect(statuses.find(({ status }) => status === 3)!.n).toBeGreaterThan(150);
  expect(await count(sql`select count(*)::int as n from payout_orders`)).toBeGreaterThan(20);
  expect(await count(sql`select count(*)::int as n from callback_queue`)).toBe(0);
  expect(await count(sql`select count(*)::int as n from waiting_orders`)).toBe(0);
  const now = world.platform.clock.now();
  for (const table of [
    'collection_orders',
    'order_events',
    'ledger_entries',
    'callback_attempts',
    'messages',
  ] as const) {
    const column = table === 'messages' ? sql`reported_at` : sql`created_at`;
    const later = sql`select count(*)::int as n from ${raw(table)} where ${column} > ${now}`;
    expect(await count(later), table).toBe(0);
  }
});

test('a restart keeps the world and brings its address up to date', async () => {
  const before = await readFileOfDemo();
  const moved = 'http://127.0.0.1:9090';
  const { seeded, demo } = await seedDemo(world.platform, {
    dataDir,
    url: moved,
    approvals: APPROVAL_HANDLERS,
  });
  expect(seeded).toBe(false);
  expect(demo).toEqual({ ...before, url: moved });
  expect(await readFileOfDemo()).toEqual(demo);
});
