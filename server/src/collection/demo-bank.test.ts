import type { DemoPayment } from '@sangam/contract/demo-payments.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, post } from '../testing/call.ts';
import { createOne, makeShop } from '../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { demoBank } from './demo-bank.ts';

/** The payment page of a demo, where a visitor can have the simulated bank pay. */

let node: TestPlatform;
let app: FastifyInstance;
beforeAll(async () => {
  node = await createTestPlatform();
  app = await node.app();
});
afterAll(() => node.close());

test('the simulated bank pays only where it runs beside the node', async () => {
  const shop = await makeShop(node.platform);
  const { id, payable } = await createOne(node.platform, shop.merchantId);
  const path = `/v1.0/pay/${node.platform.vault.payToken(id)}`;
  const page = () => call(app, 'GET', path, {}, {});
  expect((await page()).data).toMatchObject({ state: 'waiting', demoBank: false });
  expect(await post(app, `${path}/demo`, { how: 'exact' }, {})).toMatchObject({ code: 404 });

  const paid: DemoPayment[] = [];
  demoBank(node.platform).pay = (payment) => paid.push(payment);
  expect((await page()).data).toMatchObject({ demoBank: true });
  expect(await post(app, `${path}/demo`, { how: 'twice' }, {})).toMatchObject({ code: 200 });
  const { vpa, accountNumber } = (await page()).data['payParams'] as DemoPayment;
  expect(paid).toEqual([{ how: 'twice', amount: Number(payable), vpa, accountNumber }]);
});
