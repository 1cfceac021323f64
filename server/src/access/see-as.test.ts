import * as admin from '@sangam/contract/endpoints/admin.ts';
import { exportList } from '@sangam/contract/endpoints/list.ts';
import * as order from '@sangam/contract/endpoints/order.ts';
import * as review from '@sangam/contract/endpoints/access-review.ts';
import * as user from '@sangam/contract/endpoints/user.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOUR, MINUTE } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { call } from '../testing/call.ts';
import { createOne, makeShop } from '../testing/payments.ts';
import { createTestMerchant, createTestUser, signedIn, type TestUser } from '../testing/people.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { endIdleSessions } from './idle.ts';

let node: TestPlatform;
let app: FastifyInstance;
let boss: TestUser;
beforeAll(async () => {
  node = await createTestPlatform();
  app = await node.app();
  boss = await createTestUser(node.platform, 'superAdmin');
});
afterAll(() => node.close());

type Headers = Readonly<Record<string, string>>;
const infoOf = async (headers: Headers) => call(app, 'POST', user.getInfo.path, {}, { ...headers });
const seeAs = (headers: Headers, input: object) =>
  call(app, 'POST', user.seeAs.path, { reason: 'ticket 7', ...input }, { ...headers });
const actionsOf = async (action: string) =>
  node.platform.db.query<{ userId: bigint; role: string; subject: string; reason: string | null }>(sql`
    select user_id as "userId", role, subject, reason from audit_log where action = ${action} order by id`);

test('a superAdmin sees the console as a merchant: its rows, no changes, no secrets, audited under its own name', async () => {
  const merchant = await createTestMerchant(node.platform);
  const own = await signedIn(node.platform, boss);
  const opened = await seeAs(own, { role: 'merchant', account: merchant.user.account });
  const seen = { token: opened.data['token'] as string, token2: own.token2 };
  expect((await infoOf(seen)).data).toMatchObject({
    account: merchant.user.account,
    access: 'merchant',
    merchantId: String(merchant.id),
    seenBy: boss.account,
  });
  expect((await call(app, 'GET', order.getList.path, {}, seen)).code).toBe(200);
  // What the merchant may not call is refused; so is every change; and the merchant's secrets stay hidden.
  expect((await call(app, 'GET', admin.getUserList.path, {}, seen)).code).toBe(403);
  for (const path of [user.login2.path, user.bindUserForProfile.path, user.logout.path, user.seeAs.path]) {
    const refused = await call(app, 'POST', path, {}, seen);
    expect([path, refused.code, refused.data]).toEqual([path, 403, { reason: 'seeingOnly' }]);
  }
  expect(await actionsOf('user.seeAs')).toEqual([
    { userId: boss.id, role: 'superAdmin', subject: `user:${merchant.user.account}`, reason: 'ticket 7' },
  ]);
  const [listed] = (await call(app, 'GET', user.getLoggedUsers.path, {}, own)).data['list'] as object[];
  expect(listed).toMatchObject({ account: boss.account, seesAs: merchant.user.account });
  expect((await call(app, 'POST', user.endSeeAs.path, {}, seen)).code).toBe(200);
  expect((await infoOf(seen)).code).toBe(1003);
  expect((await infoOf(own)).data).toMatchObject({ account: boss.account, access: 'superAdmin' });
  expect(await actionsOf('user.endSeeAs')).toMatchObject([{ userId: boss.id, role: 'superAdmin' }]);
});

test('seeing as a role of staff shows never more than the own role may see and ends with the own session', async () => {
  const technician = await createTestUser(node.platform, 'technicalSupport');
  const own = await signedIn(node.platform, technician);
  expect((await seeAs(own, { role: 'superAdmin' })).code).toBe(403);
  expect((await seeAs(own, { role: 'superAdmin', account: boss.account })).code).toBe(403);
  expect((await seeAs(own, { role: 'supplier' })).code).toBe(400);
  expect((await seeAs(own, { role: 'admin', account: boss.account })).code).toBe(404);
  const seen = { token: (await seeAs(own, { role: 'customerService' })).data['token'] as string };
  expect((await infoOf(seen)).data).toMatchObject({ access: 'customerService', seenBy: technician.account });
  const clerk = await signedIn(node.platform, await createTestUser(node.platform, 'customerService'));
  expect((await seeAs(clerk, { role: 'merchant' })).code).toBe(403);
  await call(app, 'POST', user.logout.path, {}, own);
  expect((await infoOf(seen)).code).toBe(1003);
});

test('who sees as another exports nothing, and so asks for nothing in the name of the other', async () => {
  const { platform } = node;
  await createOne(platform, (await makeShop(platform)).merchantId, { userName: 'Asha Rao' });
  await platform.settings.write('PersonalRowsPerDay', 0, null);
  const other = await createTestUser(platform, 'admin');
  const own = await signedIn(platform, boss);
  const seen = {
    token: (await seeAs(own, { role: 'admin', account: other.account })).data['token'] as string,
  };
  const exported = await call(app, 'GET', exportList.path, { list: order.getList.path }, seen);
  expect([exported.code, exported.data]).toEqual([403, { reason: 'seeingOnly' }]);
  expect(await platform.db.query(sql`select from approvals where started_by = ${other.id}`)).toEqual([]);
});

test('windows report their open screens; a window that stops reporting counts as closed', async () => {
  const own = await signedIn(node.platform, boss);
  const tell = (windowId: string, screens: readonly string[]) =>
    call(app, 'POST', user.tellScreens.path, { windowId, screens }, own);
  const screensOf = async () =>
    ((await call(app, 'GET', user.getLoggedUsers.path, {}, own)).data['list'] as { screens: string[] }[])[0]!
      .screens;
  const [one, two] = ['6f1c0f2e-63a5-4d9a-8a64-0d4f3c1f0b01', '6f1c0f2e-63a5-4d9a-8a64-0d4f3c1f0b02'];
  await tell(one, ['/order/list', '/home', '/no/such/screen']);
  node.clock.advance(MINUTE);
  await tell(two, ['/systemConfig']);
  expect(await screensOf()).toEqual(['/systemConfig', '/order/list', '/home']);
  node.clock.advance(2 * MINUTE);
  expect(await screensOf()).toEqual(['/systemConfig']);
  await tell(two, []);
  expect(await screensOf()).toEqual([]);
});

test('a session of staff ends after an hour without a person, whatever its console calls by itself', async () => {
  const clerk = await createTestUser(node.platform, 'customerService');
  const merchant = await createTestMerchant(node.platform);
  const [left, used, theirs] = [
    await signedIn(node.platform, clerk),
    await signedIn(node.platform, clerk),
    await signedIn(node.platform, merchant.user),
  ];
  node.clock.advance(30 * MINUTE);
  const list = (headers: Headers) => call(app, 'GET', order.getList.path, {}, { ...headers });
  expect((await list({ ...left, unattended: '1' })).code).toBe(200);
  expect((await list(used)).code).toBe(200);
  node.clock.advance(31 * MINUTE);
  expect((await list({ ...left, unattended: '1' })).code).toBe(1003);
  expect((await list(used)).code).toBe(200);
  expect(await endIdleSessions(node.platform)).toBeGreaterThanOrEqual(1);
  expect(await actionsOf('user.idle')).toContainEqual(expect.objectContaining({ userId: clerk.id }));
  node.clock.advance(11 * HOUR - 2 * MINUTE);
  expect((await list(theirs)).code).toBe(200);
  expect((await list(used)).code).toBe(1003);
});

test('an access review keeps or removes every user, and a second superAdmin signs', async () => {
  const second = await createTestUser(node.platform, 'superAdmin');
  const leaver = await createTestUser(node.platform, 'customerService');
  const own = await signedIn(node.platform, boss);
  const post = (endpoint: { readonly path: string }, input: object, headers: Headers = own) =>
    call(app, 'POST', endpoint.path, input, { ...headers });
  expect((await post(review.signAccessReview, { reason: 'spring' })).data).toMatchObject({
    reason: 'noReview',
  });
  const begun = await post(review.beginAccessReview, {});
  expect(begun.code).toBe(200);
  expect((await post(review.beginAccessReview, {})).code).toBe(409);
  const rows = (await call(app, 'GET', review.getAccessReview.path, { pageSize: '500' }, own)).data[
    'list'
  ] as { id: string; account: string; lastUseTime: string | null }[];
  expect(rows.find(({ account }) => account === leaver.account)?.lastUseTime).toBeNull();
  expect(rows.find(({ account }) => account === boss.account)?.lastUseTime).not.toBeNull();
  const unused = await call(app, 'GET', review.getAccessReview.path, { unusedDays: '30' }, own);
  expect((unused.data['list'] as { account: string }[]).map(({ account }) => account)).toContain(
    leaver.account,
  );
  const decide = (userId: string | bigint, verdict: string) =>
    post(review.decideAccess, { userId: String(userId), verdict });
  expect((await decide(boss.id, 'remove')).data).toMatchObject({ reason: 'ownUser' });
  expect((await post(review.signAccessReview, { reason: 'spring' })).data).toMatchObject({
    reason: 'undecided',
  });
  for (const { id } of rows) await decide(id, id === String(leaver.id) ? 'remove' : 'keep');
  const asked = await post(review.signAccessReview, { reason: 'spring' });
  expect(asked.code).toBe(1205);
  expect((await decide(leaver.id, 'keep')).data).toMatchObject({ reason: 'pending' });
  const todo = { id: asked.data['todoId'], approve: true };
  expect((await post({ path: '/v1.0/todo/decide' }, todo)).code).toBe(403);
  const signed = await post({ path: '/v1.0/todo/decide' }, todo, await signedIn(node.platform, second));
  expect(signed.data).toMatchObject({ status: 'approved', result: { removed: 1 } });
  const deleted = await node.platform.db.query(
    sql`select account from users where deleted_at is not null order by id`,
  );
  expect(deleted).toEqual([{ account: leaver.account }]);
  const state = (await call(app, 'GET', review.getReviewState.path, {}, own)).data;
  expect(state).toMatchObject({ open: null, lastClosedBy: second.account });
});
