import * as contract from '@sangam/contract/endpoints/maintenance.ts';
import { createOrder } from '@sangam/contract/endpoints/outside.ts';
import { sign } from '@sangam/contract/signature.ts';
import { businessDay } from '@sangam/contract/time.ts';
import type { FastifyInstance } from 'fastify';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { makePartitions } from '../platform/db/partitions.ts';
import type { Viewer } from '../platform/viewer.ts';
import { rebuild } from '../statistics/rebuild.ts';
import { ask, askRefused } from '../testing/ask.ts';
import { post } from '../testing/call.ts';
import { makeShop } from '../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeMerchant, makeUser, viewerOf } from '../testing/world.ts';
import { reportNode } from './report-node.ts';

let node: TestPlatform;
let app: FastifyInstance;
let boss: Viewer;
beforeAll(async () => {
  node = await createTestPlatform();
  await makePartitions({ db: node.owner, clock: node.clock });
  app = await node.app();
  const { id, account } = await makeUser(node.platform, { role: 'superAdmin' });
  boss = { ...viewerOf(node.platform, { role: 'superAdmin' }), userId: id, account };
});
afterAll(() => node.close());

const texts = { 'en-US': 'Back at noon', 'zh-CN': '中午恢复', 'zh-TW': '中午恢復' };

test('maintenance: new orders are refused in the caller’s language from its beginning to its end', async () => {
  const { platform } = node;
  await makeShop(platform);
  const { merchantId, secret } = await makeMerchant(platform);
  const create = async (language = 'en') => {
    const fields = {
      mchId: String(merchantId),
      productId: '1010',
      mchOrderNo: randomUUID(),
      amount: '50000',
      notifyUrl: 'http://127.0.0.1:9/',
      timestamp: String(node.clock.now().getTime()),
      nonce: randomUUID(),
    };
    const signed = { ...fields, sign: sign(fields, 'hmac-sha256', secret) };
    const { code, msg } = await post(app, createOrder.path, signed, { 'accept-language': language });
    return [code, msg];
  };
  const mode = async () => (await ask(platform, boss, contract.getMaintenanceMode)).mode;
  expect(await mode()).toBeNull();
  const begun = { texts, reason: 'new disk' };
  await ask(platform, boss, contract.setMaintenanceMode, { ...begun, beginsInMinutes: 5, minutes: 10 });
  expect(await mode()).toMatchObject({ on: false, beginsIn: 300, endsIn: 900, account: boss.account });
  expect((await create())[0]).toBe(200);
  node.clock.advance(5 * MINUTE);
  expect(await create()).toEqual([1101, 'Back at noon']);
  expect(await create('zh-TW')).toEqual([1101, '中午恢復']);
  expect(await mode()).toMatchObject({ on: true, endsIn: 600 });
  await ask(platform, boss, contract.endMaintenanceMode, { reason: 'disk is in' });
  await platform.db.query(sql`update monitors set last_seen_at = ${node.clock.now()}`);
  expect((await create())[0]).toBe(200);
  await ask(platform, boss, contract.setMaintenanceMode, { ...begun, beginsInMinutes: 0, minutes: 1 });
  expect((await create())[0]).toBe(1101);
  node.clock.advance(MINUTE);
  await platform.db.query(sql`update monitors set last_seen_at = ${node.clock.now()}`);
  expect([(await create())[0], await mode()]).toEqual([200, null]);
  const audited = await platform.db.query(sql`
    select action, reason from audit_log where user_id = ${boss.userId} order by id`);
  expect(audited).toEqual([
    { action: 'maintenance.set', reason: 'new disk' },
    { action: 'maintenance.end', reason: 'disk is in' },
    { action: 'maintenance.set', reason: 'new disk' },
  ]);
});

test('a node reports itself, and which value of a setting it has in force', async () => {
  const { platform } = node;
  const stop = await reportNode(platform, 7);
  const nodes = async () => (await ask(platform, boss, contract.getNodes)).list;
  await expect.poll(nodes, { timeout: 5_000 }).toHaveLength(1);
  expect((await nodes())[0]).toMatchObject({ slot: 7, role: 'all', silent: false });
  const has = async () =>
    (await ask(platform, boss, contract.getSettingNodes, { name: 'ShowLogo' })).list.map((each) => each.has);
  expect(await has()).toEqual([true]);
  // Another node writes the setting. This node has it within a second, and reports that.
  await node.anotherNode().settings.write('ShowLogo', false, boss.userId);
  expect(await has()).toEqual([false]);
  await expect.poll(has, { timeout: 5_000 }).toEqual([true]);
  node.clock.advance(MINUTE);
  expect((await nodes())[0]).toMatchObject({ silent: true });
  await stop();
  expect(await nodes()).toEqual([]);
});

test('the state of queues and database is counted, and a job that is run says how it ended', async () => {
  const { platform } = node;
  const state = () => ask(platform, boss, contract.getSystemState);
  const { queues, monitors, database, jobs } = await state();
  const { total } = monitors;
  await platform.db.query(sql`update monitors set last_seen_at = ${node.clock.now()}`);
  expect((await state()).monitors).toEqual({ total, silent: 0 });
  await platform.db.query(
    sql`update monitors set last_seen_at = null where id = (select min(id) from monitors)`,
  );
  expect((await state()).monitors).toEqual({ total, silent: 1 });
  expect(queues.map(({ kind }) => kind)).toEqual([...contract.QUEUES]);
  expect(database.bytes).toBeGreaterThan(1_000_000);
  expect(database.partitions.find(({ table }) => table === 'collection_orders')).toMatchObject({
    monthsAhead: expect.toSatisfy((months: number) => months >= 3),
  });
  expect(jobs.map(({ job, startTime }) => [job, startTime])).toEqual([
    ['verify', null],
    ['partitions', null],
    ['archive', null],
    ['statistics', null],
  ]);
  await platform.db.query(sql`
    insert into waiting_orders (order_id, account_id, supplier_id, currency, amount, payable, identify_code, day, allocated_at,
      expires_at, release_at)
    select 1, id, supplier_id, 'INR', 1, 1, 'LOST', '2026-01-01', ${node.clock.now()}, ${new Date(node.clock.now().getTime() - 10 * MINUTE)},
      ${node.clock.now()} from accounts limit 1`);
  expect((await state()).queues[0]).toEqual({ kind: 'ordersPastExpiry', count: 1, oldestSeconds: 600 });
  await ask(platform, boss, contract.runJob, { job: 'verify' });
  const last = async () => (await state()).jobs[0]!;
  await expect.poll(async () => (await last()).endTime, { timeout: 20_000 }).not.toBeNull();
  expect(await last()).toMatchObject({
    account: boss.account,
    running: false,
    failure: null,
    result: { broken: expect.arrayContaining(['exactly the allocated orders wait for money']) },
  });
  await platform.db.query(sql`update job_runs set ended_at = null`);
  expect((await askRefused(platform, boss, contract.runJob, { job: 'verify' })).code).toBe('conflict');
});

test('orders that statistics have yet to count are a queue, and a look at the statistics names the days that differ', async () => {
  const { platform } = node;
  const state = () => ask(platform, boss, contract.getSystemState);
  const looked = async () => {
    await ask(platform, boss, contract.runJob, { job: 'statistics' });
    const run = async () => (await state()).jobs.find(({ job }) => job === 'statistics')!;
    await expect.poll(async () => (await run()).running, { timeout: 20_000 }).toBe(false);
    return (await run()).result;
  };
  const today = businessDay(node.clock.now());
  const due = async () => (await state()).queues.find(({ kind }) => kind === 'statisticsDue')!;
  await platform.db.query(sql`delete from order_changes`);
  expect(await due()).toMatchObject({ count: 0, oldestSeconds: null });
  await platform.db.query(sql`insert into order_changes (id, order_id) values (${platform.ids.next()}, 1)`);
  node.clock.advance(5 * MINUTE);
  expect(await due()).toMatchObject({ count: 1, oldestSeconds: 300 });
  await platform.db.query(sql`delete from order_changes`);
  await rebuild(platform, [today]);
  expect(await looked()).toEqual({ broken: [] });
  await platform.db.query(sql`
    insert into statistics_days (direction, grain, day, merchant_id, supplier_id, account_id, product_id, currency, mark, created, created_amount)
    values ('in', 0, ${today}, 1, 0, 0, 1001, 'INR', 0, 5, 500)`);
  expect(await looked()).toEqual({ broken: expect.arrayContaining([expect.stringContaining(today)]) });
  await rebuild(platform, [today]);
  expect(await looked()).toEqual({ broken: [] });
  // Three looks at 33 days: 10 s, and three times as long on a loaded machine.
}, 60_000);
