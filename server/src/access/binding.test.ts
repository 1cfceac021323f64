import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE, SECOND } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { type Called, post } from '../testing/call.ts';
import { PASSWORD, createTestUser, signedIn } from '../testing/people.ts';
import { type TestPlatform, createTestPlatform } from '../testing/platform.ts';
import { codeAt } from './google-code.ts';

let node: TestPlatform;
let app: FastifyInstance;

beforeAll(async () => {
  node = await createTestPlatform();
  app = await node.app();
});
afterAll(() => node.close());

const login = (userName: string, googleCode?: string): Promise<Called> =>
  post(app, '/v1.0/user/login', { userName, password: PASSWORD, ...(googleCode ? { googleCode } : {}) });
const info = async (token: string) => (await post(app, '/v1.0/user/getInfo', {}, { token })).code;

test('first sign-in binds an authenticator; the session becomes a full one under new tokens', async () => {
  const { account } = await createTestUser(node.platform, 'customerService', { bound: false });
  const first = await login(account);
  expect(first).toMatchObject({ status: 403, code: 1006 });
  const binding = { token: first.data['token'] as string };
  expect(first.cookie).toHaveLength(43);
  expect(await info(binding.token)).toBe(1006);

  const bind = await post(app, '/v1.0/user/bindUser', { userAccount: account }, binding);
  const secret = bind.data['secret'] as string;
  expect(bind.data['otpauthUrl']).toBe(`otpauth://totp/Sangam:${account}?secret=${secret}&issuer=Sangam`);
  expect(bind.data['qrCode']).toMatch(/^data:image\/png;base64,/);

  const confirm = (googleCode: string, userAccount = account) =>
    post(app, '/v1.0/user/confirmBind', { userAccount, googleCode }, binding);
  const code = codeAt(secret, node.clock.now());
  expect((await confirm(code === '000000' ? '000001' : '000000')).code).toBe(1002);
  expect((await confirm(code, 'somebodyelse')).code).toBe(404);
  const confirmed = await confirm(code);
  expect(confirmed.code).toBe(200);
  expect(confirmed.data['token']).not.toBe(binding.token);
  expect(confirmed.cookie).not.toBe(first.cookie);
  expect(await info(confirmed.data['token'] as string)).toBe(200);
  expect(await info(binding.token)).toBe(1003);

  expect((await login(account, code)).code).toBe(1002);
  node.clock.advance(30 * SECOND);
  expect((await login(account, codeAt(secret, node.clock.now()))).code).toBe(200);
});

test('a user is notified of a sign-in from a new browser that ends with the binding of an authenticator', async () => {
  const user = await createTestUser(node.platform, 'supplier');
  await signedIn(node.platform, user);
  const told = () =>
    node.platform.db.query(
      sql`select data from inbox_messages where user_id = ${user.id} and kind = 'newSignIn'`,
    );
  await node.platform.db.query(sql`update users set google_secret = null where id = ${user.id}`);
  const from = { 'user-agent': 'Elsewhere/1.0' };
  const input = { userName: user.account, password: PASSWORD };
  const token = (await post(app, '/v1.0/user/login', input, from)).data['token'] as string;
  const userAccount = user.account;
  const bind = await post(app, '/v1.0/user/bindUser', { userAccount }, { token, ...from });
  expect(await told()).toEqual([]);
  const googleCode = codeAt(bind.data['secret'] as string, node.clock.now());
  const confirm = { userAccount, googleCode };
  expect((await post(app, '/v1.0/user/confirmBind', confirm, { token, ...from })).code).toBe(200);
  expect(await told()).toMatchObject([{ data: { ip: '127.0.0.1', device: 'Elsewhere/1.0' } }]);
});

test('a binding session lasts 15 minutes and opens nothing but binding and sign-out', async () => {
  const { account } = await createTestUser(node.platform, 'merchant', { bound: false });
  const token = (await login(account)).data['token'] as string;
  for (const path of ['getInfo', 'getSessions', 'bindUserForProfile']) {
    const answer = await post(app, `/v1.0/user/${path}`, { userAccount: account }, { token });
    expect([path, answer.code]).toEqual([path, 1006]);
  }
  node.clock.advance(15 * MINUTE);
  expect((await post(app, '/v1.0/user/bindUser', { userAccount: account }, { token })).code).toBe(1003);

  const again = (await login(account)).data['token'] as string;
  expect((await post(app, '/v1.0/user/logout', {}, { token: again })).code).toBe(200);
  expect((await post(app, '/v1.0/user/bindUser', { userAccount: account }, { token: again })).code).toBe(
    1003,
  );
});

test('a full session cannot bind without the second-level password', async () => {
  const user = await createTestUser(node.platform, 'admin');
  const { token } = await signedIn(node.platform, user);
  expect((await post(app, '/v1.0/user/bindUser', { userAccount: user.account }, { token })).code).toBe(409);
  const profile = await post(app, '/v1.0/user/bindUserForProfile', { userAccount: user.account }, { token });
  expect(profile.code).toBe(1024);
});

test('from the profile the new authenticator replaces the old one only once confirmed', async () => {
  const user = await createTestUser(node.platform, 'supplier');
  const session = await signedIn(node.platform, user);
  const elsewhere = await signedIn(node.platform, user);
  const input = { userAccount: user.account, needToLogout: true };
  const secret = (await post(app, '/v1.0/user/bindUserForProfile', input, session)).data['secret'] as string;
  expect(await info(elsewhere.token)).toBe(1003);
  expect((await login(user.account, codeAt(user.googleSecret, node.clock.now()))).code).toBe(200);

  node.clock.advance(30 * SECOND);
  const confirm = { userAccount: user.account, googleCode: codeAt(secret, node.clock.now()) };
  expect((await post(app, '/v1.0/user/confirmBindForProfile', confirm, session)).code).toBe(200);
  expect((await post(app, '/v1.0/user/confirmBindForProfile', confirm, session)).code).toBe(409);
  node.clock.advance(30 * SECOND);
  expect((await login(user.account, codeAt(user.googleSecret, node.clock.now()))).code).toBe(1002);
  expect((await login(user.account, codeAt(secret, node.clock.now()))).code).toBe(200);
});

test('unbinding waits for a second person and ends the sessions of the user, who must bind again', async () => {
  const admin = await signedIn(node.platform, await createTestUser(node.platform, 'admin'));
  const user = await createTestUser(node.platform, 'merchant');
  const open = await signedIn(node.platform, user);
  const asked = await post(app, '/v1.0/user/unbind', { userAccount: user.account }, admin);
  expect(asked.code).toBe(1205);
  expect(await info(open.token)).toBe(200);
  const second = await signedIn(node.platform, await createTestUser(node.platform, 'admin'));
  const approve = { id: asked.data['todoId'], approve: true };
  expect((await post(app, '/v1.0/todo/decide', approve, second)).code).toBe(200);
  expect(await info(open.token)).toBe(1003);
  expect((await login(user.account)).code).toBe(1006);
});

test('an admin cannot unbind an equal or a superior; a superAdmin may ask to unbind anyone', async () => {
  const admin = await createTestUser(node.platform, 'admin');
  const superAdmin = await createTestUser(node.platform, 'superAdmin');
  const [low, high] = [await signedIn(node.platform, admin), await signedIn(node.platform, superAdmin)];
  const peer = await createTestUser(node.platform, 'admin');
  const unbind = async (userAccount: string, session: typeof low) =>
    (await post(app, '/v1.0/user/unbind', { userAccount }, session)).code;
  expect(await unbind(peer.account, low)).toBe(403);
  expect(await unbind(superAdmin.account, low)).toBe(403);
  expect(await unbind('nosuchaccount', low)).toBe(404);
  expect(await unbind(peer.account, high)).toBe(1205);
});

test('from the profile only the own authenticator can be removed', async () => {
  const user = await createTestUser(node.platform, 'supplier');
  const other = await createTestUser(node.platform, 'supplier');
  const session = await signedIn(node.platform, user);
  const unbind = async (userAccount: string) =>
    (await post(app, '/v1.0/user/unbindForProfile', { userAccount }, session)).code;
  expect(await unbind(other.account)).toBe(404);
  expect(await unbind(user.account)).toBe(200);
  expect(await info(session.token)).toBe(200);
});
