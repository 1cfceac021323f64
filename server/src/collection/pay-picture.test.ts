import { uploadQrCode } from '@sangam/contract/endpoints/account.ts';
import { payPage, payPicture } from '@sangam/contract/endpoints/outside.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { qrPng } from '../platform/files/qr-code.ts';
import { sql } from '../platform/db/database.ts';
import { ask } from '../testing/ask.ts';
import { call } from '../testing/call.ts';
import { createOne, makeShop } from '../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { viewerOf } from '../testing/world.ts';
import { expireDue } from './expire.ts';
import { payUrlOf } from './pay-params.ts';
import { HOUR } from '../platform/clock.ts';

let node: TestPlatform;
let app: FastifyInstance;
beforeAll(async () => {
  node = await createTestPlatform();
  app = await node.app();
});
afterAll(() => node.close());

test('payers are shown the QR code the account’s owner uploaded, while they may pay and while it pays into the account', async () => {
  const { platform } = node;
  const shop = await makeShop(platform);
  const order = await createOne(platform, shop.merchantId);
  const token = (await payUrlOf(platform, order)).split('/').pop()!;
  const get = (path: string) => call(app, 'GET', path.replace(':token', token));
  const page = async () => (await get(payPage.path)).data as { qrVersion: string | null };
  const picture = () => get(payPicture.path);

  expect((await page()).qrVersion).toBeNull();
  expect((await picture()).code).toBe(404);

  const [account] = await platform.db.query<{ id: bigint; vpa: string; userId: bigint }>(sql`
    select a.id, a.vpa, s.user_id as "userId" from accounts a join suppliers s on s.id = a.supplier_id
    where a.id = ${order.accountId}`);
  const owner = viewerOf(platform, {
    role: 'supplier',
    supplierId: order.supplierId!,
    userId: account!.userId,
  });
  const upload = async () => {
    const bytes = await qrPng(`upi://pay?pa=${account!.vpa}`);
    await ask(platform, owner, uploadQrCode, { id: String(account!.id), picture: bytes.toString('base64') });
    return `data:image/png;base64,${bytes.toString('base64')}`;
  };
  const uploaded = await upload();
  const { qrVersion } = await page();
  expect(qrVersion).not.toBeNull();
  expect(await picture()).toMatchObject({ code: 200, data: { picture: uploaded } });

  // Another picture has another version, so that the page fetches it again.
  node.clock.advance(1_000);
  await upload();
  expect((await page()).qrVersion).not.toBe(qrVersion);

  // The account's address has changed: the old picture would send the money elsewhere.
  await platform.db.query(sql`update accounts set vpa = 'moved@okaxis' where id = ${account!.id}`);
  expect([(await page()).qrVersion, (await picture()).code]).toEqual([null, 404]);
  await platform.db.query(sql`update accounts set vpa = ${account!.vpa} where id = ${account!.id}`);
  expect((await picture()).code).toBe(200);

  node.clock.advance(HOUR);
  while ((await expireDue(platform)) > 0);
  expect([(await page()).qrVersion, (await picture()).code]).toEqual([null, 404]);
});
