import { getInfo, login } from '@sangam/contract/endpoints/user.ts';
import type { FastifyInstance } from 'fastify';
import { generateSync } from 'otplib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE } from '../platform/clock.ts';
import { readConfig } from '../platform/config.ts';
import { ConfigError } from '../platform/environment.ts';
import { sql } from '../platform/db/database.ts';
import { post } from '../testing/call.ts';
import { createTestUser, PASSWORD } from '../testing/people.ts';
import { type TestPlatform, createTestPlatform } from '../testing/platform.ts';

/** Attacks of an audit on sign-in and sessions, each tried again. */

const BROWSER = { 'user-agent': 'Mozilla/5.0', origin: 'http://localhost', 'sec-fetch-site': 'same-origin' };
const PROXY = '10.9.9.9';

let node: TestPlatform;
let app: FastifyInstance;
beforeAll(async () => {
  node = await createTestPlatform({ trustedProxies: [PROXY], isProduction: true });
  app = await node.app();
});
afterAll(() => node.close());

/** A sign-in that comes through the proxy. */
const through = (ip: string, userName: string, password: string, googleCode?: string) =>
  app.inject({
    method: 'POST',
    url: login.path,
    remoteAddress: PROXY,
    headers: { 'x-forwarded-for': ip, 'x-forwarded-proto': 'https' },
    payload: { userName, password, ...(googleCode === undefined ? {} : { googleCode }) },
  });
const codeOf = (response: { json: () => { code: number } }) => response.json().code;

test('behind a proxy on another machine, wrong passwords from one address lock out only that address', async () => {
  const boss = await createTestUser(node.platform, 'superAdmin', { enableGoogleVerify: false });
  for (let time = 0; time < 5; time += 1) await through('203.0.113.66', boss.account, 'wrong');
  expect(codeOf(await through('203.0.113.66', boss.account, PASSWORD))).toBe(1005);
  expect(codeOf(await through('198.51.100.7', boss.account, PASSWORD))).toBe(200);
  // A peer that is not one of our proxies cannot state another address.
  const lie = { method: 'POST', url: login.path, remoteAddress: '203.0.113.66' } as const;
  const payload = { userName: boss.account, password: PASSWORD };
  const lied = await app.inject({ ...lie, headers: { 'x-forwarded-for': '198.51.100.9' }, payload });
  expect(codeOf(lied)).toBe(1005);
});

test('in production a node on a network address must name its proxies, or state that there is none', () => {
  const env = {
    NODE_ENV: 'production',
    HOST: '0.0.0.0',
    DATABASE_URL: 'postgres://u@h/d?sslmode=verify-full',
  };
  expect(() => readConfig(env)).toThrow(ConfigError);
  expect(readConfig({ ...env, TRUSTED_PROXIES: 'none' }).trustedProxies).toEqual([]);
  expect(readConfig({ ...env, TRUSTED_PROXIES: '10.0.0.0/8' }).trustedProxies).toContain('10.0.0.0/8');
  expect(() => readConfig({ ...env, TRUSTED_PROXIES: 'my proxy' })).toThrow(ConfigError);
  expect(readConfig({ ...env, HOST: '127.0.0.1' }).trustedProxies).toEqual(['127.0.0.0/8', '::1/128']);
});

test('in production the session cookie is __Host- and Secure, whatever the proxy says', async () => {
  const user = await createTestUser(node.platform, 'admin', { enableGoogleVerify: false });
  const response = await app.inject({
    method: 'POST',
    url: login.path,
    headers: BROWSER,
    payload: { userName: user.account, password: PASSWORD },
  });
  const [cookie] = response.cookies;
  expect(cookie).toMatchObject({
    name: '__Host-sid',
    secure: true,
    httpOnly: true,
    path: '/',
    sameSite: 'Strict',
  });
  expect(cookie).not.toHaveProperty('domain');
});

test('a browser session’s token opens nothing without its cookie, whatever the call looks like', async () => {
  const user = await createTestUser(node.platform, 'admin', { enableGoogleVerify: false });
  const opened = await post(app, login.path, { userName: user.account, password: PASSWORD }, BROWSER);
  const token = String(opened.data['token']);
  expect((await post(app, getInfo.path, {}, { token })).code).toBe(1003);
  const cookie = `__Host-sid=${opened.cookie}`;
  expect((await post(app, getInfo.path, {}, { ...BROWSER, token, cookie })).code).toBe(200);
});

test('wrong codes are counted over all addresses, and every refused sign-in is audited', async () => {
  const user = await createTestUser(node.platform, 'customerService');
  for (let time = 0; time < 20; time += 1)
    expect(codeOf(await through(`198.51.100.${time + 20}`, user.account, PASSWORD, '000000'))).toBe(1002);
  const code = () => generateSync({ secret: user.googleSecret, epoch: node.clock.now().getTime() / 1000 });
  expect(codeOf(await through('192.0.2.1', user.account, PASSWORD, code()))).toBe(1005);
  const rows = await node.platform.db.query<{ count: number }>(sql`
    select count(*)::int as count from audit_log where user_id = ${user.id} and action = 'user.signInRefused'`);
  expect(rows[0]!.count).toBeGreaterThanOrEqual(20);
  node.clock.advance(16 * MINUTE);
  expect(codeOf(await through('192.0.2.1', user.account, PASSWORD, code()))).toBe(200);
});

test('a user is notified of a sign-in from a new address or browser, but not of the first one or a known one', async () => {
  const user = await createTestUser(node.platform, 'supplier', { enableGoogleVerify: false });
  const told = async () =>
    node.platform.db.query(
      sql`select data from inbox_messages where user_id = ${user.id} and kind = 'newSignIn'`,
    );
  await through('198.51.100.200', user.account, PASSWORD);
  await through('198.51.100.200', user.account, PASSWORD);
  expect(await told()).toEqual([]);
  await through('203.0.113.200', user.account, PASSWORD);
  expect(await told()).toMatchObject([{ data: { ip: '203.0.113.200' } }]);
});
