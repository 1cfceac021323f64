import {
  addSlip,
  getPaying,
  getPayoutDetail,
  getSlips,
  MOST_SLIPS,
} from '@sangam/contract/endpoints/payout.ts';
import { ROLES } from '@sangam/contract/roles.ts';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Viewer } from '../platform/viewer.ts';
import { ask, askRefused } from '../testing/ask.ts';
import { brokenChecks } from '../testing/books.ts';
import { newReference } from '../testing/payments.ts';
import { makePayoutShop, payOut, type PayoutShop } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeUser, viewerOf } from '../testing/world.ts';
import { cancelClaim } from './cancel-claim.ts';
import { claim } from './claim.ts';
import { confirmPaid } from './confirm-paid.ts';
import { readPayout } from './read.ts';

/** Slips are pictures of the bank's receipts for the desk to look at. They are no proof. */

let world: TestPlatform;
let shop: PayoutShop;
let supplier: Viewer;
let rival: Viewer;
let desk: Viewer;
beforeAll(async () => {
  world = await createTestPlatform();
  const { platform } = world;
  shop = await makePayoutShop(platform);
  const of = async (supplierId: bigint) =>
    viewerOf(platform, {
      role: 'supplier',
      supplierId,
      userId: (await makeUser(platform, { role: 'supplier' })).id,
    });
  supplier = await of(shop.supplierId);
  rival = await of(shop.otherSupplierId);
  desk = viewerOf(platform, { role: 'customerService' });
});
afterAll(async () => {
  expect(await brokenChecks(world.platform)).toEqual([]);
  await world.close();
});

const picture = async (background: string, as: 'png' | 'webp' = 'png') =>
  (
    await sharp({ create: { width: 4, height: 4, channels: 3, background } })
      [as]()
      .toBuffer()
  ).toString('base64');
async function claimed(): Promise<string> {
  const { id } = await payOut(world.platform, shop.merchantId);
  await claim(world.platform, supplier, id);
  return String(id);
}
const add = async (orderCode: string, file: string) =>
  (await ask(world.platform, supplier, addSlip, { orderCode, picture: file })).slips;
const refused = async (orderCode: string, file: string, viewer = supplier) =>
  (await askRefused(world.platform, viewer, addSlip, { orderCode, picture: file })).code;
const slipsFor = async (viewer: Viewer, orderCode: string) =>
  (await ask(world.platform, viewer, getPayoutDetail, { orderCode })).order.slips;

test('a slip is kept once, however often it is sent, and moves nothing', async () => {
  const { platform } = world;
  const orderCode = await claimed();
  const [white, black] = [await picture('white'), await picture('black')];
  expect([await add(orderCode, white), await add(orderCode, white), await add(orderCode, black)]).toEqual([
    1, 1, 2,
  ]);
  expect(await Promise.all([add(orderCode, white), add(orderCode, white)])).toEqual([2, 2]);
  const { list } = await ask(platform, desk, getSlips, { orderCode });
  expect(list.map((each) => each.picture)).toEqual(
    [white, black].map((each) => `data:image/png;base64,${each}`),
  );
  expect((await ask(platform, supplier, getPaying, { orderCode })).slips).toBe(2);
  expect((await readPayout(platform.db, BigInt(orderCode)))!).toMatchObject({ status: 1, utr: null });

  await confirmPaid(platform, supplier, { orderId: BigInt(orderCode), utr: newReference() });
  expect(await add(orderCode, await picture('red'))).toBe(MOST_SLIPS);
  expect((await readPayout(platform.db, BigInt(orderCode)))!).toMatchObject({ status: 3, unproven: true });
  expect(await refused(orderCode, await picture('green'))).toBe('conflict');
  // The same slip again, after a lost answer, is accepted although no more slips are taken.
  expect(await add(orderCode, white)).toBe(MOST_SLIPS);
});

test('only the claimer adds one, and only a PNG or JPEG of 512 KiB', async () => {
  const orderCode = await claimed();
  const white = await picture('white');
  expect(await refused(orderCode, white, rival)).toBe('notFound');
  expect(await refused(orderCode, await picture('white', 'webp'))).toBe('invalidInput');
  expect(await refused(orderCode, Buffer.from('GIF89a, says its name .png').toString('base64'))).toBe(
    'invalidInput',
  );
  const large = Buffer.alloc(512 * 1024 + 3).toString('base64');
  expect(addSlip.input.safeParse({ orderCode, picture: large }).error?.issues[0]?.path).toEqual(['picture']);
  expect(await slipsFor(desk, orderCode)).toBe(0);
  await cancelClaim(world.platform, supplier, BigInt(orderCode));
  expect(await refused(orderCode, white)).toBe('notFound');
});

test('slips are shown to those who may see them, and no trace of them to others', async () => {
  const { platform } = world;
  const orderCode = await claimed();
  await add(orderCode, await picture('white'));
  expect(await slipsFor(desk, orderCode)).toBe(1);
  const merchant = viewerOf(platform, { role: 'merchant', merchantId: shop.merchantId });
  for (const viewer of [supplier, merchant, viewerOf(platform, { role: 'technicalMaintenance' })]) {
    const { order, events } = await ask(platform, viewer, getPayoutDetail, { orderCode });
    expect(order.slips).toBe(0);
    if (viewer.role !== 'technicalMaintenance')
      expect(events.map(({ kind }) => kind)).not.toContain('slipAdded');
  }
  expect(ROLES.filter((role) => (getSlips.access as readonly string[]).includes(role)).toSorted()).toEqual([
    'admin',
    'customerService',
    'superAdmin',
  ]);
});
