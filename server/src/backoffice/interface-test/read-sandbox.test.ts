import { getSandbox } from '@sangam/contract/endpoints/interface-test.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Platform } from '../../platform/platform.ts';
import { ask, askRefused } from '../../testing/ask.ts';
import { makeShop } from '../../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { makeUser, viewerOf } from '../../testing/world.ts';
import { ownMerchant } from './own-merchant.ts';
import { keepCaught } from './read-sandbox.ts';

/** A merchant's sandbox in a demo. */

let node: TestPlatform;
beforeAll(async () => {
  node = await createTestPlatform();
});
afterAll(() => node.close());

async function integratorOf(platform: Platform) {
  const { merchantId } = await makeShop(platform);
  const { id: userId } = await makeUser(platform, { role: 'merchant' });
  return viewerOf(platform, { role: 'merchant', userId, merchantId });
}

test('in the demo a merchant reads its own secret, and what its own endpoint caught, newest first', async () => {
  const demo: Platform = { ...node.platform, config: { ...node.platform.config, demo: true } };
  const viewer = await integratorOf(demo);
  const merchant = await ownMerchant(demo, viewer);
  const secret = 'secret' in merchant ? merchant.secret : undefined;
  expect(await ask(demo, viewer, getSandbox)).toEqual({ secret, caught: null });

  const caught = keepCaught(demo);
  const notice = { fields: { status: '1' }, signatureValid: true, attempt: 1 };
  const mchId = String(viewer.merchantId);
  caught({ ...notice, mchId, mchOrderNo: 'A-1' });
  caught({ ...notice, mchId: '1', mchOrderNo: 'ANOTHERS' });
  caught({ ...notice, mchId, mchOrderNo: 'A-2' });
  const answer = await ask(demo, viewer, getSandbox);
  expect(answer.caught).toMatchObject([
    { ...notice, mchOrderNo: 'A-2' },
    { ...notice, mchOrderNo: 'A-1' },
  ]);
  expect((await askRefused(demo, viewerOf(demo, { role: 'admin' }), getSandbox)).code).toBe('forbidden');
});

test('outside a demo nobody reads a secret', async () => {
  const viewer = await integratorOf(node.platform);
  expect((await askRefused(node.platform, viewer, getSandbox)).code).toBe('notFound');
});
