import { getDetail, getPictures } from '@sangam/contract/endpoints/order.ts';
import { payerPicture, payPage } from '@sangam/contract/endpoints/outside.ts';
import type { FastifyInstance } from 'fastify';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CollectionOrder } from '../../collection/order.ts';
import { readOrder } from '../../collection/read.ts';
import { raw, sql } from '../../platform/db/database.ts';
import { ask, askRefused } from '../../testing/ask.ts';
import { call, post } from '../../testing/call.ts';
import { createOne, creditSms, makeShop, newReference } from '../../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { viewerOf } from '../../testing/world.ts';
import { receiveMessages } from './receive.ts';
import { reportByPicture } from './told-by-picture.ts';

let node: TestPlatform;
let app: FastifyInstance;
beforeAll(async () => {
  node = await createTestPlatform();
  app = await node.app();
});
afterAll(() => node.close());

const png = await sharp({ create: { width: 4, height: 4, channels: 3, background: 'white' } })
  .png()
  .toBuffer();
const at = (path: string, { id }: CollectionOrder) =>
  path.replace(':token', node.platform.vault.payToken(id));
const add = async (order: CollectionOrder, picture = png, utr?: string) =>
  (await post(app, at(payerPicture.path, order), { picture: picture.toString('base64'), utr })).code;
const takes = async (order: CollectionOrder) =>
  (await call(app, 'GET', at(payPage.path, order))).data['takesPicture'];

test('AllowPictureQueryOrder: screenshots stand with the order, three at most, for those who see the order', async () => {
  const { platform } = node;
  const shop = await makeShop(platform);
  const order = await createOne(platform, shop.merchantId);
  expect([await takes(order), await add(order)]).toEqual([false, 1201]);
  await platform.settings.write('AllowPictureQueryOrder', true, null);
  expect(await takes(order)).toBe(true);
  expect(await add(order, Buffer.from('GIF89a, says its name .png'))).toBe(400);
  expect([await add(order), await add(order)]).toEqual([200, 200]);
  const merchant = { kind: 'merchant', id: shop.merchantId, ip: null } as const;
  expect(await reportByPicture(platform, order.id, { bytes: png, utr: undefined }, merchant)).toEqual({
    pictures: 3,
  });
  expect([await takes(order), await add(order)]).toEqual([false, 409]);

  const asked = { orderCode: String(order.id) };
  const desk = viewerOf(platform, { role: 'customerService' });
  const { list } = await ask(platform, desk, getPictures, asked);
  expect(list.map(({ source }) => source)).toEqual(['payer', 'payer', 'merchant']);
  expect(list[0]!.picture).toBe(`data:image/png;base64,${png.toString('base64')}`);
  const detail = await ask(platform, desk, getDetail, asked);
  expect(detail.order.pictures).toBe(3);
  expect(detail.events.filter(({ kind }) => kind === 'pictureAdded')).toHaveLength(3);
  const stranger = viewerOf(platform, { role: 'merchant', merchantId: shop.merchantId + 1n });
  expect((await askRefused(platform, stranger, getPictures, asked)).code).toBe('notFound');
});

test('the UTR that comes with a screenshot is searched', async () => {
  const { platform } = node;
  await platform.settings.write('AllowPictureQueryOrder', true, null);
  const shop = await makeShop(platform);
  const order = await createOne(platform, shop.merchantId, { amount: 700_00n });
  // The payer was asked for a floated amount and pays the round one. Only the reference shows which order it is for.
  for (const table of ['collection_orders', 'waiting_orders'])
    await platform.db.query(sql`
      update ${raw(table)} set payable = payable + 37 where ${raw(table === 'waiting_orders' ? 'order_id' : 'id')} = ${order.id}`);
  await platform.db.query(sql`
    update account_load set waiting_amount = waiting_amount + 37 where account_id = ${order.accountId}`);
  const reference = newReference();
  await receiveMessages(platform, shop.monitor, [creditSms(platform, shop, order.amount, { reference })]);
  const credited = async () => (await readOrder(platform.db, order.id))!.received;
  expect(await credited()).toBeNull();
  expect(await add(order, png, reference)).toBe(200);
  expect(await credited()).toBe(order.amount);
});
