import { getList, updateOrderMark } from '@sangam/contract/endpoints/order.ts';
import { getOrderSource, getSourceFunnel } from '@sangam/contract/endpoints/order-source.ts';
import {
  type SourceDimension,
  SOURCE_GROUPS,
  SOURCE_STEPS,
  sourceCellText,
} from '@sangam/contract/order-source.ts';
import type { FastifyInstance } from 'fastify';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { heartbeat } from '../evidence/monitors/heartbeat.ts';
import { receiveMessages } from '../evidence/matching/receive.ts';
import { submitUtr } from '../evidence/matching/payer-utr.ts';
import { HOUR } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { acknowledge } from '../testing/acknowledge.ts';
import { ask } from '../testing/ask.ts';
import { createOne, creditSms, makeShop, newReference, type Shop } from '../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeUser, viewerOf } from '../testing/world.ts';
import { countChanges } from '../traffic/fold.ts';
import { brokenChecks } from '../testing/books.ts';
import { SEED } from '../testing/seed.ts';
import { createRandom } from '../demo/random.ts';
import type { Viewer } from '../platform/viewer.ts';

/** Sources of orders: the counts, and that each count leads to its orders. */

let node: TestPlatform;
let app: FastifyInstance;
let shops: Shop[];
let admin: Viewer;
beforeAll(async () => {
  node = await createTestPlatform();
  const built = await mkdtemp(join(tmpdir(), 'pages-'));
  await writeFile(join(built, 'index.html'), '<!doctype html>');
  app = await node.app(undefined, undefined, { console: built, phone: built, cashier: built });
  shops = [await makeShop(node.platform), await makeShop(node.platform)];
  admin = viewerOf(node.platform, {
    role: 'admin',
    userId: (await makeUser(node.platform, { role: 'admin' })).id,
  });
});
afterAll(() => node.close());

const PHONE = 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/126.0 Mobile Safari/537.36';
const DESKTOP = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/126.0 Safari/537.36';

/** A payer opens the payment page, and its script asks for the order. */
async function visit(orderId: bigint, userAgent: string, referer: string | undefined, asks: boolean) {
  const token = node.platform.vault.payToken(orderId);
  const headers = { 'user-agent': userAgent, ...(referer && { referer }) };
  expect((await app.inject({ url: `/pay/${token}`, headers })).statusCode).toBe(200);
  if (asks) await app.inject({ url: `/v1.0/pay/${token}` });
}

const dice = createRandom(SEED);
const random = (below: number) => dice.int(0, below - 1);

test(`every number of every side of the sources is the total of the list it leads to (SEED=${SEED})`, async () => {
  const { platform } = node;
  const visited: bigint[] = [];
  for (let n = 0; n < 24; n += 1) {
    const shop = shops[random(2)]!;
    for (const each of shops) await heartbeat(platform, each.monitor, { scriptVersion: '1' });
    const order = await createOne(platform, shop.merchantId, {
      amount: BigInt((100 + n) * 100 * (1 + random(9))),
      clientIp: ['203.0.113.5', '198.51.100.7', '2001:db8::1', null][random(4)]!,
    });
    const steps = random(5);
    if (steps >= 1) {
      await visit(
        order.id,
        [PHONE, DESKTOP][random(2)]!,
        [undefined, 'https://shop.example/pay', 'https://other.example/'][random(3)],
        steps >= 2,
      );
      visited.push(order.id);
    }
    if (steps >= 3 && order.accountId !== null)
      await submitUtr(platform, platform.vault.payToken(order.id), newReference(), '203.0.113.5');
    const paying = shops.find(({ accountId }) => accountId === order.accountId);
    if (steps >= 4 && paying)
      await receiveMessages(platform, paying.monitor, [creditSms(platform, paying, order.payable!)]);
    if (random(8) === 0)
      await ask(platform, admin, updateOrderMark, { id: String(order.id), orderMark: 2, reason: 'ours' });
    if (random(6) === 0) node.clock.advance(HOUR * (1 + random(30)));
    if (random(3) === 0) await countChanges(platform);
  }
  // Visits are written a moment later.
  await expect
    .poll(
      async () => (await platform.db.query(sql`select from order_visits where opened_at is not null`)).length,
      { timeout: 10_000 },
    )
    .toBe(visited.length);
  await countChanges(platform);
  expect(await platform.db.query(sql`select from order_changes`)).toEqual([]);

  const span = { startTime: '2020-01-01', endTime: '2099-12-31' };
  const asked = { ...span, pageSize: 500 };
  const total = async (cell: Parameters<typeof sourceCellText>[0], merchantId?: string) =>
    (await ask(platform, admin, getList, { source: sourceCellText(cell), merchantId, pageSize: 1 })).total;
  const funnel = await ask(platform, admin, getSourceFunnel, span);
  const [from, to] = [span.startTime, span.endTime];
  for (const row of funnel.list)
    for (const [reached, step] of SOURCE_STEPS.entries())
      expect(await total({ from, to, currency: row.currency, reached, of: undefined }), step).toBe(row[step]);
  expect(funnel.list[0]!.paid).toBeGreaterThan(0);
  expect(funnel.list[0]!.opened).toBeGreaterThan(funnel.list[0]!.seen);

  for (const by of SOURCE_GROUPS) {
    const { list } = await ask(platform, admin, getOrderSource, { ...asked, by });
    for (const step of SOURCE_STEPS)
      expect(
        list.reduce((sum, row) => sum + row[step], 0),
        `${by}: ${step}`,
      ).toBe(funnel.list[0]![step]);
    for (const row of list) {
      const reached = random(SOURCE_STEPS.length);
      const days = by === 'day' ? { from: row.value, to: row.value } : { from, to };
      const of =
        by === 'merchant' || by === 'day'
          ? undefined
          : { dimension: by satisfies SourceDimension, value: row.value };
      expect(
        await total(
          { ...days, currency: row.currency, reached, of },
          by === 'merchant' ? row.value : undefined,
        ),
        `${by} ${row.value}`,
      ).toBe(row[SOURCE_STEPS[reached]!]);
    }
  }
  expect(await brokenChecks(platform)).toEqual([]);
}, 90_000);

test('sums equal a naive recount of the orders, whatever the order of counting', async () => {
  const { platform } = node;
  const recount = await platform.db.query(sql`
    select merchant_id::text as merchant, count(*)::int as orders, sum(amount)::text as amount,
      (count(*) filter (where received is not null))::int as paid, coalesce(sum(received), 0)::text as received
    from collection_orders where mark <> 2 group by 1 order by 1`);
  const counted = await platform.db.query(sql`
    select merchant_id::text as merchant, sum(r0)::int as orders, sum(amount)::text as amount, sum(r4)::int as paid,
      sum(paid_amount)::text as received
    from source_sums where dimension = 'network' group by 1 order by 1`);
  expect(counted).toEqual(recount);
  // Counting all orders again changes nothing.
  await platform.db.query(sql`insert into order_changes (id, order_id) select id, id from collection_orders`);
  await countChanges(platform);
  expect(
    await platform.db.query(sql`select sum(r0)::int as orders from source_sums where dimension = 'network'`),
  ).toEqual([{ orders: recount.reduce<number>((sum, row) => sum + (row as { orders: number }).orders, 0) }]);
});

test('an acknowledgement counts once, whether the payment was counted before, is counted with it, or was of a test order', async () => {
  const { platform } = node;
  const acknowledgements = async () => {
    const rows = await platform.db.query<{ dimension: string; acknowledged: number }>(sql`
      select dimension, sum(r5)::int as acknowledged from source_sums group by 1 order by 1`);
    const [{ acknowledged } = { acknowledged: 0 }] = rows;
    expect(rows).toEqual(rows.map(({ dimension }) => ({ dimension, acknowledged })));
    return acknowledged;
  };
  await acknowledge(platform);
  await countChanges(platform);
  const before = await acknowledgements();
  for (const [at, isCountedBefore] of [true, false, true].entries()) {
    for (const each of shops) await heartbeat(platform, each.monitor, { scriptVersion: '1' });
    const order = await createOne(platform, shops[0]!.merchantId, { amount: BigInt(7_000_00 + at * 100_00) });
    const paying = shops.find(({ accountId }) => accountId === order.accountId)!;
    await receiveMessages(platform, paying.monitor, [creditSms(platform, paying, order.payable!)]);
    if (at === 2)
      await ask(platform, admin, updateOrderMark, { id: String(order.id), orderMark: 2, reason: 'ours' });
    if (isCountedBefore) await countChanges(platform);
    await acknowledge(platform);
    await countChanges(platform);
    await countChanges(platform);
    expect(await acknowledgements()).toBe(before + Math.min(at + 1, 2));
  }
  expect(await brokenChecks(platform)).toEqual([]);
});

test('merchants and suppliers cannot filter by a source', async () => {
  const merchant = viewerOf(node.platform, { role: 'merchant', merchantId: shops[0]!.merchantId });
  const source = '2020-01-01~2099-12-31/INR/0';
  expect((await ask(node.platform, merchant, getList, { source })).total).toBe(0);
  expect((await ask(node.platform, admin, getList, { source: 'nonsense' })).total).toBe(0);
});
