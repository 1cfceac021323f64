import { getAuditList } from '@sangam/contract/endpoints/audit.ts';
import { deleteCallbacks, resendCallbacks } from '@sangam/contract/endpoints/callback.ts';
import { getEntity } from '@sangam/contract/endpoints/entity.ts';
import { reverse, supplement } from '@sangam/contract/endpoints/order.ts';
import { enableResource } from '@sangam/contract/endpoints/party.ts';
import * as user from '@sangam/contract/endpoints/user.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sweepSessions } from '../../access/sweep-sessions.ts';
import { DAY } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { ask, askRefused } from '../../testing/ask.ts';
import { makeBatch, makeBatchShop } from '../../testing/batches.ts';
import { post } from '../../testing/call.ts';
import { createOne, makeShop, newReference, type Shop } from '../../testing/payments.ts';
import { payOut } from '../../testing/payouts.ts';
import { createTestUser, signedIn } from '../../testing/people.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { makeUser, viewerOf } from '../../testing/world.ts';

let node: TestPlatform;
let app: FastifyInstance;
let shop: Shop;
let boss: Viewer;
let clerk: Viewer;
beforeAll(async () => {
  node = await createTestPlatform();
  app = await node.app();
  shop = await makeShop(node.platform);
  const someone = async (role: 'superAdmin' | 'customerService') =>
    viewerOf(node.platform, { role, userId: (await makeUser(node.platform, { role })).id });
  [boss, clerk] = [await someone('superAdmin'), await someone('customerService')];
});
afterAll(() => node.close());

/** What is found of a subject, the oldest first. */
const found = async (subject: string) =>
  (await ask(node.platform, boss, getAuditList, { subject })).list
    .map(({ action, subject: named }) => `${action} ${named}`)
    .toReversed();
const todoOf = (refusal: { readonly data?: unknown }) => (refusal.data as { readonly todoId: string }).todoId;

test('an order leads to its requests, and to what was done to its callbacks and its batch', async () => {
  const { platform } = node;
  const { id } = await createOne(platform, shop.merchantId);
  const orderCode = String(id);
  await ask(platform, clerk, supplement, { orderCode, utr: newReference() });
  const [callback] = await platform.db.query<{ id: bigint }>(sql`
    select id from callbacks where order_id = ${id}`);
  const ids = [String(callback!.id)];
  await ask(platform, boss, deleteCallbacks, { ids });
  await ask(platform, boss, resendCallbacks, { ids });
  const todoId = todoOf(await askRefused(platform, boss, reverse, { orderCode }));
  expect(await found(`order:${id}`)).toEqual([
    `order.supplement order:${id}`,
    `callback.delete callback:${callback!.id}`,
    `callback.resend callback:${callback!.id}`,
    `approval.start approval:${todoId}`,
  ]);

  // The entity view has the same entries.
  const { audit } = await ask(platform, boss, getEntity, { kind: 'collectionOrder', id: orderCode });
  expect(audit.map(({ action, subject }) => `${action} ${subject}`).toReversed()).toEqual(
    await found(`order:${id}`),
  );

  const batchShop = await makeBatchShop(platform);
  const paid = await payOut(platform, batchShop.merchantId);
  const { batchId } = await makeBatch(platform, batchShop);
  expect(await found(`order:${paid.id}`)).toEqual([`payoutBatch.create payoutBatch:${batchId}`]);
});

test('an entry about an order says what its status and amounts mean, and all of it stays when the order is archived', async () => {
  const { platform } = node;
  const { id } = await createOne(platform, shop.merchantId);
  await ask(platform, clerk, supplement, { orderCode: String(id), utr: newReference() });
  const [callback] = await platform.db.query<{ id: bigint }>(sql`
    select id from callbacks where order_id = ${id}`);
  await ask(platform, boss, deleteCallbacks, { ids: [String(callback!.id)] });
  const entries = async () =>
    (await ask(platform, boss, getAuditList, { subject: `order:${id}` })).list.map(({ action, order }) => [
      action,
      order,
    ]);
  const listed = [
    ['callback.delete', null],
    ['order.supplement', { direction: 'in', currency: 'INR' }],
  ];
  expect(await entries()).toEqual(listed);
  // As the archive leaves it.
  await node.owner.query(
    sql`insert into archived_orders (order_id, direction, archive_id) values (${id}, 'in', 1)`,
  );
  await node.owner.query(sql`delete from collection_orders where id = ${id}`);
  expect(await entries()).toEqual(listed);
});

test('an account leads to what was done to its products', async () => {
  const { platform } = node;
  const { accountId } = shop;
  const open = { resourceId: String(accountId), productId: 1010 };
  await ask(platform, boss, enableResource, { ...open, enable: false });
  await ask(platform, boss, enableResource, { ...open, enable: true });
  expect(await found(`account:${accountId}`)).toEqual([
    `resource.disable resource:${accountId}/1010`,
    `resource.enable resource:${accountId}/1010`,
  ]);
  expect(await found(`account:${accountId}9`)).toEqual([]);
});

test('a user is found by account and by number, with the sessions that were ended, also when these are deleted', async () => {
  const { platform } = node;
  await platform.settings.write('EnablePayPassword', false, null);
  const superAdmin = await createTestUser(platform, 'superAdmin');
  const ravi = await createTestUser(platform, 'customerService');
  const own = await signedIn(platform, superAdmin);
  const first = await signedIn(platform, ravi);
  await post(app, user.logout.path, {}, first);
  const second = await signedIn(platform, ravi);
  const tokens = async () =>
    (
      await platform.db.query<{ id: bigint }>(
        sql`select id from sessions where user_id = ${ravi.id} order by id`,
      )
    ).map(({ id }) => String(id));
  const [one, two] = await tokens();
  expect((await post(app, user.forceLogout.path, { token: two }, own)).code).toBe(200);
  expect((await post(app, user.getInfo.path, {}, second)).code).toBe(1003);
  await signedIn(platform, ravi);
  expect(
    (await post(app, user.endSessions.path, { userId: String(ravi.id), reason: 'left' }, own)).code,
  ).toBe(200);
  const ended = [
    `user.create user:${ravi.account}`,
    `user.logout session:${one}`,
    `user.forceLogout user:${ravi.account}`,
    `user.endSessions user:${ravi.id}`,
  ];
  node.clock.advance(40 * DAY);
  await sweepSessions(platform);
  expect(await tokens()).toEqual([]);
  expect(await found(`user:${ravi.account}`)).toEqual(ended);
  expect(await found(`user:${ravi.id}`)).toEqual(ended);
  // Whoever ended them is another user.
  expect(await found(`user:${superAdmin.account}`)).toEqual([`user.create user:${superAdmin.account}`]);
});
