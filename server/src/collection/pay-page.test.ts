import { afterAll, beforeAll, expect, test } from 'vitest';
import { receiveMessages } from '../evidence/matching/receive.ts';
import { createOne, creditSms, makeShop } from '../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { reverseByTwo } from '../testing/reversal.ts';
import { readPayPage } from './pay-page.ts';

let node: TestPlatform;
beforeAll(async () => {
  node = await createTestPlatform();
});
afterAll(() => node.close());

test('the page of a payment that was taken back shows no receipt', async () => {
  const { platform } = node;
  const shop = await makeShop(platform);
  const { id, payable } = await createOne(platform, shop.merchantId);
  await receiveMessages(platform, shop.monitor, [creditSms(platform, shop, payable!)]);
  const page = () => readPayPage(platform, platform.vault.payToken(id), '10.0.0.1');
  expect(await page()).toMatchObject({ state: 'paid' });
  expect(await reverseByTwo(platform, { orderId: id })).toMatchObject({ id });
  expect(await page()).toMatchObject({ state: 'reversed' });
});
