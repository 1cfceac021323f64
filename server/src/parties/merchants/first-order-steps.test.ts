import { getFirstOrderSteps } from '@sangam/contract/endpoints/merchant.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { receiveMessages } from '../../evidence/matching/receive.ts';
import { heartbeat } from '../../evidence/monitors/heartbeat.ts';
import { DAY } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import { ask, askRefused } from '../../testing/ask.ts';
import { createOne, creditSms, makeShop } from '../../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { makeMerchant, setKyc, setTerms, viewerOf } from '../../testing/world.ts';

let node: TestPlatform;
beforeAll(async () => {
  node = await createTestPlatform();
});
afterAll(() => node.close());

const admin = () => viewerOf(node.platform, { role: 'admin' });
const doneOf = async (merchantId: bigint) => {
  const { steps } = await ask(node.platform, admin(), getFirstOrderSteps, { id: String(merchantId) });
  return steps && Object.fromEntries(steps.map(({ step, done }) => [step, done]));
};

test('a new merchant’s steps are done one by one, and disappear once one of its orders is paid', async () => {
  const { platform, clock } = node;
  const shop = await makeShop(platform);
  const { merchantId, userId } = await makeMerchant(platform, { products: [] });
  const done = async () =>
    Object.entries((await doneOf(merchantId)) ?? {}).flatMap(([step, is]) => (is ? [step] : []));
  expect(Object.keys((await doneOf(merchantId))!)).toEqual([
    'kyc',
    'products',
    'signIn',
    'secret',
    'order',
    'paid',
  ]);

  await setKyc(platform, { subject: 'merchant', id: merchantId, verdict: 'rejected' });
  expect(await done()).not.toContain('kyc');
  await setKyc(platform, { subject: 'merchant', id: merchantId });
  expect(await done()).toContain('kyc');
  await setTerms(platform, { ownerKind: 'merchant', ownerId: merchantId, productId: 2001 });
  expect(await done()).not.toContain('products');
  await setTerms(platform, { ownerKind: 'merchant', ownerId: merchantId, productId: 1010 });
  expect(await done()).toContain('products');
  await platform.db.query(sql`update users set google_bound_at = ${clock.now()} where id = ${userId}`);
  expect(await done()).toContain('signIn');
  await platform.db.query(
    sql`update merchants set secret_shown_at = ${clock.now()} where id = ${merchantId}`,
  );
  expect(await done()).toContain('secret');
  await heartbeat(platform, shop.monitor, { scriptVersion: '1' });
  const order = await createOne(platform, merchantId);
  expect(await done()).toEqual(['kyc', 'products', 'signIn', 'secret', 'order']);
  await receiveMessages(platform, shop.monitor, [creditSms(platform, shop, order.payable!)]);
  expect(await doneOf(merchantId)).toBeNull();
});

test('a merchant of last quarter is not new, and a merchant sees only its own steps', async () => {
  const { platform, clock } = node;
  const { merchantId } = await makeMerchant(platform);
  const other = await makeMerchant(platform);
  const own = viewerOf(platform, { role: 'merchant', merchantId });
  expect((await ask(platform, own, getFirstOrderSteps, { id: String(merchantId) })).steps).not.toBeNull();
  const refused = await askRefused(platform, own, getFirstOrderSteps, { id: String(other.merchantId) });
  expect(refused.code).toBe('notFound');
  clock.advance(93 * DAY);
  expect(await doneOf(merchantId)).toBeNull();
});
