import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY, MINUTE, SECOND } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { type Called, type Headers, post } from '../testing/call.ts';
import {
  PASSWORD,
  PAY_PASSWORD,
  createTestMerchant,
  createTestSupplier,
  createTestUser,
  signedIn,
} from '../testing/people.ts';
import { type TestPlatform, createTestPlatform } from '../testing/platform.ts';
import { codeAt } from './google-code.ts';
import { sweepSessions } from './sweep-sessions.ts';

let node: TestPlatform;
let app: FastifyInstance;

beforeAll(async () => {
  node = await createTestPlatform();
  app = await node.app();
});
afterAll(() => node.close());

const info = async (headers: Headers): Promise<number> =>
  (await post(app, '/v1.0/user/getInfo', {}, headers)).code;

async function signIn(headers: Headers = {}): Promise<Called> {
  const user = await createTestUser(node.platform, 'admin');
  const googleCode = codeAt(user.googleSecret, node.clock.now());
  return post(app, '/v1.0/user/login', { userName: user.account, password: PASSWORD, googleCode }, headers);
}

test('a browser must send the cookie of its session; a program need not', async () => {
  const mine = await signIn();
  const another = await signIn();
  const token = mine.data['token'] as string;
  const cookie = (value: string) => ({ cookie: `sid=${value}` });
  expect(await info({ token })).toBe(200);
  const browsers: Headers[] = [
    { 'sec-fetch-site': 'same-origin' },
    { origin: 'http://127.0.0.1' },
    { 'user-agent': 'Mozilla/5.0' },
  ];
  for (const browser of browsers) {
    expect(await info({ token, ...browser })).toBe(1003);
    expect(await info({ token, ...browser, ...cookie(another.cookie!) })).toBe(1003);
    expect(await info({ token, ...browser, ...cookie(mine.cookie!) })).toBe(200);
    expect(await info({ ...browser, ...cookie(mine.cookie!) })).toBe(1003);
  }
});

test('a call that another site makes a browser send is refused, also a sign-in', async () => {
  expect(await signIn({ 'sec-fetch-site': 'cross-site' })).toMatchObject({ status: 403, code: 403 });
  const { data, cookie } = await signIn();
  const headers = { token: data['token'] as string, cookie: `sid=${cookie}`, 'sec-fetch-site': 'cross-site' };
  expect(await info(headers)).toBe(403);
});

test('the cookie is HttpOnly, SameSite=Strict, for a day, and Secure over https', async () => {
  const user = await createTestUser(node.platform, 'admin', { enableGoogleVerify: false });
  const setCookie = async (headers: Headers) => {
    const payload = { userName: user.account, password: PASSWORD };
    return (await app.inject({ method: 'POST', url: '/v1.0/user/login', payload, headers })).headers[
      'set-cookie'
    ];
  };
  expect(await setCookie({})).toMatch(/^sid=[\w-]{43}; Max-Age=86400; Path=\/; HttpOnly; SameSite=Strict$/);
  expect(await setCookie({ 'x-forwarded-proto': 'https' })).toMatch(/; Secure/);
});

test('a session lasts a day; sign-out ends it at once and takes the cookie away', async () => {
  const { data } = await signIn();
  const token = data['token'] as string;
  // A person uses it all day.
  for (let hour = 0; hour < 24; hour += 1) {
    node.clock.advance(DAY / 24 - SECOND);
    expect(await info({ token })).toBe(200);
  }
  node.clock.advance(24 * SECOND);
  expect(await info({ token })).toBe(1003);

  const next = (await signIn()).data['token'] as string;
  const out = await post(app, '/v1.0/user/logout', {}, { token: next });
  expect(out).toMatchObject({ code: 200, cookie: '' });
  expect(await info({ token: next })).toBe(1003);
  expect(await info({ token: 'nonsense' })).toBe(1003);
  expect(await info({})).toBe(1003);
});

test('the session of a deleted user is over', async () => {
  const user = await createTestUser(node.platform, 'admin');
  const { token } = await signedIn(node.platform, user);
  await node.platform.db.query(sql`update users set deleted_at = now() where id = ${user.id}`);
  expect(await info({ token })).toBe(1003);
});

test('with EnableIpChangedCheck a session seen from another address ends', async () => {
  const user = await createTestUser(node.platform, 'admin');
  const { token } = await signedIn(node.platform, user);
  const moved = { token, 'x-forwarded-for': '203.0.113.7' };
  expect(await info(moved)).toBe(200);
  await node.platform.settings.write('EnableIpChangedCheck', true, null);
  expect(await info({ token })).toBe(200);
  expect(await info(moved)).toBe(1003);
  expect(await info({ token })).toBe(1003);
  await node.platform.settings.write('EnableIpChangedCheck', false, null);
});

test('last seen is written at most once a minute', async () => {
  const user = await createTestUser(node.platform, 'admin');
  const { token } = await signedIn(node.platform, user);
  const start = node.clock.now();
  const lastSeen = async () =>
    (
      await node.platform.db.query<{ at: Date }>(
        sql`select last_seen_at as at from sessions where user_id = ${user.id}`,
      )
    )[0]?.at;
  node.clock.advance(MINUTE - 1);
  await info({ token });
  expect(await lastSeen()).toEqual(start);
  node.clock.advance(1);
  await info({ token });
  expect(await lastSeen()).toEqual(node.clock.now());
});

test('the second-level token: needed, wrong, another session’s, expired', async () => {
  const user = await createTestUser(node.platform, 'admin');
  const target = await createTestUser(node.platform, 'merchant');
  const { token } = await signedIn(node.platform, user);
  const other = await signedIn(node.platform, user);
  const unbind = async (headers: Headers) =>
    (await post(app, '/v1.0/user/unbind', { userAccount: target.account }, { token, ...headers })).code;
  expect(await unbind({})).toBe(1024);
  expect(await unbind({ token2: 'wrong' })).toBe(1025);
  expect(await unbind({ token2: other.token2 })).toBe(1025);

  const wrong = await post(app, '/v1.0/user/login2', { password: PASSWORD }, { token });
  expect(wrong).toMatchObject({ status: 403, code: 1025 });
  const right = await post(
    app,
    '/v1.0/user/login2',
    { password: PAY_PASSWORD, logInReason: 'test' },
    { token },
  );
  const token2 = right.data['token'] as string;
  expect(await unbind({ token2 })).toBe(1205);
  node.clock.advance(15 * MINUTE);
  expect(await unbind({ token2 })).toBe(1025);

  await node.platform.settings.write('EnablePayPassword', false, null);
  expect(await unbind({})).toBe(1205);
  await node.platform.settings.write('EnablePayPassword', true, null);
});

test('five wrong second-level passwords lock the second level, but not sign-in', async () => {
  const user = await createTestUser(node.platform, 'admin', { enableGoogleVerify: false });
  const { token } = await signedIn(node.platform, user);
  const login2 = async (password: string) =>
    (await post(app, '/v1.0/user/login2', { password }, { token })).code;
  for (let failure = 0; failure < 5; failure += 1) expect(await login2('wrong')).toBe(1025);
  expect(await login2(PAY_PASSWORD)).toBe(1005);
  expect((await post(app, '/v1.0/user/login', { userName: user.account, password: PASSWORD })).code).toBe(
    200,
  );
  node.clock.advance(15 * MINUTE);
  expect(await login2(PAY_PASSWORD)).toBe(200);
});

test('users see their own sessions, superAdmin and technicalMaintenance all; the owner or a superAdmin ends them', async () => {
  const roles = ['superAdmin', 'technicalMaintenance', 'admin', 'supplier'] as const;
  const sessions = await Promise.all(
    roles.map(async (role) => {
      const user = await createTestUser(node.platform, role);
      return { user, headers: await signedIn(node.platform, user) };
    }),
  );
  const [superAdmin, maintenance, admin, supplier] = sessions as [
    (typeof sessions)[0],
    (typeof sessions)[0],
    (typeof sessions)[0],
    (typeof sessions)[0],
  ];
  type Row = { token: string; account: string; current: boolean };
  const list = async (who: typeof admin) =>
    (await post(app, '/v1.0/user/getSessions', {}, who.headers)).data['list'] as Row[];
  expect((await list(admin)).map((row) => row.account)).toEqual([admin.user.account]);
  expect((await list(maintenance)).length).toBeGreaterThanOrEqual(4);
  const all = await list(superAdmin);
  expect(all.filter((row) => row.current).map((row) => row.account)).toEqual([superAdmin.user.account]);
  const idOf = (who: typeof admin) => all.find((row) => row.account === who.user.account)!.token;

  const end = async (who: typeof admin, token: string) =>
    (await post(app, '/v1.0/user/forceLogout', { token }, who.headers)).code;
  expect(await end(supplier, idOf(admin))).toBe(404);
  expect(await end(admin, idOf(supplier))).toBe(404);
  expect(await end(maintenance, idOf(maintenance))).toBe(403);
  expect(await end(superAdmin, idOf(supplier))).toBe(200);
  expect(await info(supplier.headers)).toBe(1003);
  expect(await end(superAdmin, idOf(supplier))).toBe(404);
  expect(await end(admin, idOf(admin))).toBe(200);
  expect(await info(admin.headers)).toBe(1003);
});

test('a user signs itself out everywhere else: its other sessions end, nobody else’s', async () => {
  for (const role of ['admin', 'technicalSupport', 'merchant'] as const) {
    const user = await createTestUser(node.platform, role);
    const here = await signedIn(node.platform, user);
    const there = await signedIn(node.platform, user);
    const elsewhere = await signedIn(node.platform, user);
    const stranger = await signedIn(node.platform, await createTestUser(node.platform, role));
    const end = async () => (await post(app, '/v1.0/user/endOwnSessions', {}, here)).data;
    expect(await end()).toEqual({ ended: 2 });
    expect(await info(there)).toBe(1003);
    expect(await info(elsewhere)).toBe(1003);
    expect(await info(here)).toBe(200);
    expect(await info(stranger)).toBe(200);
    expect(await end()).toEqual({ ended: 0 });
    const audited = await node.platform.db.query<{ subject: string }>(
      sql`select subject from audit_log where action = 'user.endOwnSessions' and user_id = ${user.id}`,
    );
    expect(audited).toEqual([{ subject: `user:${user.id}` }, { subject: `user:${user.id}` }]);
  }
});

test('getInfo names the merchant or supplier, and who is an agent', async () => {
  const merchant = await createTestMerchant(node.platform);
  const agent = await createTestSupplier(node.platform);
  const member = await createTestSupplier(node.platform, { agentId: agent.id });
  const infoOf = async (user: typeof agent.user) =>
    (await post(app, '/v1.0/user/getInfo', {}, await signedIn(node.platform, user))).data;
  expect(await infoOf(merchant.user)).toMatchObject({ merchantId: String(merchant.id), isAgent: false });
  expect(await infoOf(agent.user)).toMatchObject({ supplierId: String(agent.id), isAgent: true });
  expect(await infoOf(member.user)).toMatchObject({ supplierId: String(member.id), isAgent: false });
});

test('exactly the sessions that ended or expired more than 30 days ago are deleted', async () => {
  const own = await createTestPlatform();
  const { platform, clock } = own;
  const user = await createTestUser(platform, 'admin');
  await signedIn(platform, user);
  await signedIn(platform, user);
  await platform.db.query(sql`
    update sessions set ended_at = ${clock.now()} where id = (select min(id) from sessions)`);
  clock.advance(30 * DAY + SECOND);
  await signedIn(platform, user);
  expect(await sweepSessions(platform)).toBe(1);
  clock.advance(DAY);
  expect(await sweepSessions(platform)).toBe(1);
  expect(await sweepSessions(platform)).toBe(0);
  await own.close();
});
