import { sign } from '@sangam/contract/signature.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../platform/db/database.ts';
import { confirmPaid } from '../payout/confirm-paid.ts';
import { reject } from '../payout/reject.ts';
import { newReference } from '../testing/payments.ts';
import { giveFunds } from '../testing/payouts.ts';
import { claim } from '../payout/claim.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { brokenChecks } from '../testing/books.ts';
import { makeAccount, makeMerchant, makeMonitor, makeSupplier, viewerOf } from '../testing/world.ts';

let world: TestPlatform;
let app: FastifyInstance;
let merchantId: bigint;
let supplierId: bigint;
let secret: string;

beforeAll(async () => {
  world = await createTestPlatform();
  app = await world.app();
  const { platform } = world;
  ({ merchantId, secret } = await makeMerchant(platform, {
    signType: 'md5',
    products: [1010, 2001, 2012, 2045],
  }));
  ({ supplierId } = await makeSupplier(platform, { products: [1010, 2001, 2012] }));
  const { monitorId } = await makeMonitor(platform, { supplierId });
  await makeAccount(platform, { supplierId, monitorId, products: [1010] });
  await giveFunds(platform, merchantId, 'INR', 1_000_000_00n);
  await giveFunds(platform, merchantId, 'USDT', 500_000_000n);
});
afterAll(async () => {
  expect(await brokenChecks(world.platform)).toEqual([]);
  await world.close();
});

interface Answer {
  readonly data: Record<string, unknown>;
  readonly [field: string]: unknown;
}

async function call(name: string, fields: Record<string, string | number>): Promise<Answer> {
  const all = { mchId: String(merchantId), ...fields };
  const text = Object.fromEntries(Object.entries(all).map(([key, value]) => [key, String(value)]));
  const response = await app.inject({
    method: 'POST',
    url: `/v1.0/api/order/${name}`,
    payload: { ...all, sign: sign(text, 'md5', secret) },
  });
  expect(response.statusCode).toBe(200);
  return response.json<Answer>();
}

let made = 0;
const payout = (fields: Record<string, string | number> = {}) => ({
  productId: 2001,
  mchOrderNo: `P${(made += 1)}`,
  amount: 50_000,
  notifyUrl: 'http://127.0.0.1:9/notify',
  userName: 'Asha Rao',
  cardNumber: '50100123456789',
  ifscCode: 'HDFC0000521',
  bankName: 'HDFC Bank',
  ...fields,
});
const supplier = () => viewerOf(world.platform, { role: 'supplier', supplierId });
const desk = () => viewerOf(world.platform, { role: 'customerService' });

test('a payout product makes a payout: the answer is its code alone, the same request answers the same', async () => {
  const request = payout();
  const first = await call('create', request);
  expect(first).toMatchObject({ code: 200, retCode: 'SUCCESS', payOrderId: first.data['orderCode'] });
  expect(first.data).toEqual({ orderCode: expect.any(String) });
  expect(await call('create', request)).toEqual(first);
  expect(await call('create', { ...request, cardNumber: '50100123456780' })).toMatchObject({ code: 1103 });
  expect(await call('create', payout({ ifscCode: 'HDFC' }))).toMatchObject({ code: 400, retCode: 'FAIL' });
  expect(await call('create', payout({ amount: 990_000_00 }))).toMatchObject({ code: 1203 });
  expect(await call('create', payout({ amount: 10 }))).toMatchObject({ code: 1104 });
});

test('its status is 0 until it is final, then 1 or 2', async () => {
  const status = async (mchOrderNo: string) => (await call('query', { mchOrderNo })).data;
  const paid = payout();
  const paidId = BigInt(String((await call('create', paid)).payOrderId));
  expect(await status(paid.mchOrderNo)).toMatchObject({ status: 0, realAmount: null, amount: 50_000 });
  await claim(world.platform, supplier(), paidId);
  expect(await status(paid.mchOrderNo)).toMatchObject({ status: 0 });
  const utr = newReference();
  await confirmPaid(world.platform, supplier(), { orderId: paidId, utr });
  expect(await status(paid.mchOrderNo)).toMatchObject({ status: 1, realAmount: 50_000, utr });
  expect((await call('queryUtr', { utr })).data).toMatchObject({ orderCode: String(paidId), status: 1 });
  expect(await call('queryUtr', { utr: newReference() })).toMatchObject({ code: 404 });

  const refused = payout();
  const refusedId = BigInt(String((await call('create', refused)).payOrderId));
  await reject(world.platform, desk(), { orderId: refusedId, reason: 'Account closed' });
  expect(await status(refused.mchOrderNo)).toMatchObject({ status: 2, rejectReason: 'Account closed' });

  const told = await world.platform.db.query<{
    id: bigint;
    kind: string;
    fields: Record<string, string>;
  }>(sql`
    select order_id as id, kind, fields from callbacks where order_id = any(${[paidId, refusedId]}) order by id`);
  expect(told).toMatchObject([
    { id: paidId, kind: 'payout', fields: { status: '1', utr, realAmount: '50000' } },
    { id: refusedId, kind: 'payout', fields: { status: '2', rejectReason: 'Account closed' } },
  ]);
  expect(told[1]!.fields).not.toHaveProperty('realAmount');
});

test('the balance call shows what is available and what is frozen, in the unit of amounts', async () => {
  const before = (await call('queryMerchantBalance', {})).data['balances'] as Record<string, unknown>[];
  const inr = before.find((row) => row['currency'] === 'INR')!;
  await call('create', payout({ amount: 100_000 }));
  await call('create', {
    ...payout({ productId: 2045, amount: 100_000 }),
    address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
  });
  const after = (await call('queryMerchantBalance', {})).data;
  expect(after).toEqual({
    mchId: String(merchantId),
    balances: [
      {
        currency: 'INR',
        available: (inr['available'] as number) - 103_000,
        frozen: (inr['frozen'] as number) + 103_000,
      },
      { currency: 'USDT', available: 5_000_000 - 103_000, frozen: 103_000 },
    ],
  });
});

test('a waiting payout and an unpaid collection order may be taken back, what is under way may not', async () => {
  const waiting = payout();
  await call('create', waiting);
  expect((await call('cancel', { mchOrderNo: waiting.mchOrderNo })).data).toMatchObject({ status: 2 });
  expect(await call('cancel', { mchOrderNo: waiting.mchOrderNo })).toMatchObject({ code: 1201 });
  expect(await call('cancel', { mchOrderNo: 'nobody' })).toMatchObject({ code: 404 });

  const claimed = payout();
  const { payOrderId } = await call('create', claimed);
  await claim(world.platform, supplier(), BigInt(String(payOrderId)));
  expect(await call('cancel', { orderCode: String(payOrderId) })).toMatchObject({ code: 1201 });

  const collection = {
    productId: 1010,
    mchOrderNo: 'C1',
    amount: 50_000,
    notifyUrl: 'http://127.0.0.1:9/notify',
  };
  expect(await call('create', collection)).toMatchObject({ code: 200, payUrl: expect.any(String) });
  expect((await call('cancel', { mchOrderNo: 'C1' })).data).toMatchObject({ status: 3 });
  // Its payer may still pay until the grace ends.
  const held = await world.platform.db.query(sql`select timed_out as "isTimedOut" from waiting_orders`);
  expect(held).toEqual([{ isTimedOut: true }]);
});
