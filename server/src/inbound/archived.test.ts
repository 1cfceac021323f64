import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KoshPay } from '@sangam/simulators/gateway/kosh-pay.ts';
import { archiveNow } from '../archive/run.ts';
import { payoutChannels } from '../channels/payout-channels.ts';
import { createOrders } from '../collection/create.ts';
import { openHostedPage } from '../collection/hosted-page.ts';
import { readOrder } from '../collection/read.ts';
import { readPayout } from '../payout/read.ts';
import { reject } from '../payout/reject.ts';
import { sql } from '../platform/db/database.ts';
import { makePartitions } from '../platform/db/partitions.ts';
import { isRefusal } from '../platform/refusal.ts';
import { brokenChecks } from '../testing/books.ts';
import { dispatchWaiting } from '../testing/gateway.ts';
import { growOld } from '../testing/grown-old.ts';
import { exampleScript, makeScript, makeScriptAccount, openKosh } from '../testing/pay-script.ts';
import { newOrder } from '../testing/payments.ts';
import { giveFunds, payOut } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeMerchant, makeSupplier, makeUser, viewerOf } from '../testing/world.ts';
import { watchHosted } from './hosted-watch.ts';

/** What a gateway says of an order that is in the archive. */

const [HOSTED, PAYOUT] = [1030, 2010];

let folder: string;
let world: TestPlatform;
let app: FastifyInstance;
let kosh: KoshPay;
let adminId: bigint;
const ids = {} as Record<'paidIn' | 'unpaidIn' | 'paidOut' | 'failedOut', bigint>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sangam-archived-'));
  kosh = await openKosh({
    deliver: async (url, body) => {
      const { payload } = await app.inject({
        method: 'POST',
        url: new URL(url).pathname,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: body,
      });
      return payload;
    },
  });
  world = await createTestPlatform({ archiveDir: folder });
  app = await world.app();
  const { platform } = world;
  adminId = (await makeUser(platform, { role: 'admin' })).id;
  const { merchantId } = await makeMerchant(platform, { products: [HOSTED, PAYOUT] });
  await giveFunds(platform, merchantId, 'INR', 1_000_000_00n);
  const { supplierId } = await makeSupplier(platform, { products: [HOSTED] });
  const { id: scriptId } = await makeScript(platform, await exampleScript(kosh.url), [kosh.url]);
  await makeScriptAccount(platform, { supplierId, scriptId, direction: 'in' });
  await makeScriptAccount(platform, { supplierId, scriptId, direction: 'out' });
  await watchHosted(platform);
  const order = async () => {
    const [made] = await createOrders(platform, [newOrder(merchantId, { productId: HOSTED })]);
    if (!made || isRefusal(made)) throw new Error(`refused: ${JSON.stringify(made)}`);
    await openHostedPage(platform, made);
    return made.id;
  };
  const payout = async () => (await payOut(platform, merchantId, { productId: PAYOUT })).id;
  Object.assign(ids, {
    paidIn: await order(),
    unpaidIn: await order(),
    paidOut: await payout(),
    failedOut: await payout(),
  });
  await dispatchWaiting(platform, payoutChannels(platform));
  await kosh.end(kosh.orders.get(String(ids.paidIn))!, 'SUCCESS');
  await kosh.end(kosh.transfers.get(String(ids.paidOut))!, 'SUCCESS');
  await kosh.end(kosh.transfers.get(String(ids.failedOut))!, 'FAILED');
  await reject(platform, viewerOf(platform, { role: 'admin' }), {
    orderId: ids.failedOut,
    reason: 'not paid',
  });
  await growOld(world);
  await makePartitions({ db: world.owner, clock: world.clock });
  await archiveNow(platform);
});
afterAll(async () => {
  await kosh.stop();
  expect(await brokenChecks(world.platform)).toEqual([]);
  await world.close();
  await rm(folder, { recursive: true });
});

const toldOf = (id: bigint) =>
  world.platform.db.query(sql`
    select kind, data - 'order' as data from inbox_messages
    where user_id = ${adminId} and data->>'order' = ${String(id)} order by id`);

test('all four are in the archive', async () => {
  const { db } = world.platform;
  for (const id of [ids.paidIn, ids.unpaidIn]) expect(await readOrder(db, id)).toBeUndefined();
  for (const id of [ids.paidOut, ids.failedOut]) expect(await readPayout(db, id)).toBeUndefined();
});

test('the admins are notified that a payment has failed after all, and the gateway gets its answer', async () => {
  const [paid, unpaid] = [ids.paidIn, ids.unpaidIn].map((id) => kosh.orders.get(String(id))!);
  const { utr } = paid!;
  expect(await kosh.tell({ ...paid!, tradeNo: 'another try', status: 'FAILED' })).toBe('success');
  expect(await toldOf(ids.paidIn)).toEqual([]);
  expect(await kosh.end(paid!, 'FAILED')).toBe('success');
  expect(await toldOf(ids.paidIn)).toEqual([{ kind: 'moneyWentBack', data: { utr, amount: 'INR 500.00' } }]);
  expect(await kosh.end(unpaid!, 'FAILED')).toBe('success');
  expect(await toldOf(ids.unpaidIn)).toEqual([]);
});

test('a payment that comes so late is stored for an operator', async () => {
  const unpaid = kosh.orders.get(String(ids.unpaidIn))!;
  expect(await kosh.end(unpaid, 'SUCCESS')).toBe('success');
  const stored = await world.platform.db.query(
    sql`select state, reason from messages where utr = ${unpaid.utr}`,
  );
  expect(stored).toEqual([{ state: 'ambiguous', reason: 'codeNotOpen' }]);
});

test('the admins are notified that a paid payout has failed after all, and that one was paid which had ended unpaid', async () => {
  const [paid, failed] = [ids.paidOut, ids.failedOut].map((id) => kosh.transfers.get(String(id))!);
  expect(await kosh.end(failed!, 'FAILED')).toBe('success');
  expect(await kosh.tell(paid!)).toBe('success');
  expect([await toldOf(ids.paidOut), await toldOf(ids.failedOut)]).toEqual([[], []]);
  expect(await kosh.end(paid!, 'FAILED')).toBe('success');
  expect(await toldOf(ids.paidOut)).toMatchObject([{ kind: 'archivedPayoutFailed' }]);
  expect(await kosh.end(failed!, 'SUCCESS')).toBe('success');
  expect(await toldOf(ids.failedOut)).toEqual([{ kind: 'gatewaySaysPaid', data: {} }]);
});
