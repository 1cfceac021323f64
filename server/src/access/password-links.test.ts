import { inspect } from 'node:util';
import * as admin from '@sangam/contract/endpoints/admin.ts';
import * as todo from '@sangam/contract/endpoints/todo.ts';
import * as user from '@sangam/contract/endpoints/user.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { type Called, call, post } from '../testing/call.ts';
import { PASSWORD, PAY_PASSWORD, type TestUser, createTestUser, signedIn } from '../testing/people.ts';
import { type TestPlatform, createTestPlatform } from '../testing/platform.ts';

let node: TestPlatform;
let app: FastifyInstance;
let boss: TestUser;
let clerk: TestUser;

beforeAll(async () => {
  node = await createTestPlatform();
  app = await node.app();
  boss = await createTestUser(node.platform, 'superAdmin');
  clerk = await createTestUser(node.platform, 'admin');
});
afterAll(() => node.close());

const by = async (
  who: TestUser,
  { method, path }: { readonly method: 'GET' | 'POST'; readonly path: string },
  input: object = {},
): Promise<Called> => call(app, method, path, input, { ...(await signedIn(node.platform, who)) });
const approve = async (who: TestUser, { data }: Called) =>
  (await by(who, todo.decide, { id: data['todoId'], approve: true })).code;
const signIn = (userName: string, password: string) => post(app, user.login.path, { userName, password });
const isOpen = async (headers: { token: string }) =>
  (await post(app, user.getInfo.path, {}, headers)).code === 200;

/** One user asks for a user's link, another approves and gets it. */
async function linkFor(target: { readonly id: bigint }, asker = clerk, second = boss): Promise<string> {
  const asked = await by(asker, admin.resetPayPassword, { id: String(target.id) });
  expect([asked.code, await approve(second, asked)]).toEqual([1205, 200]);
  const link = await by(second, admin.makePasswordLink, { todoId: asked.data['todoId'] });
  return link.data['token'] as string;
}
const PASSWORDS = { password: 'Quiet harbour 7', payPassword: 'Loud harbour 8' };
const setBy = (token: string, passwords: object = {}) =>
  post(app, user.setPasswords.path, { token, ...PASSWORDS, ...passwords });

test('the new user has no password until it sets its own by a link, which its maker never sees', async () => {
  const input = { nickname: 'New one', account: 'newhand', access: 'customerService' };
  const added = await by(clerk, admin.addUser, { ...input, password: PASSWORDS.password });
  expect(added.code).toBe(200);
  expect((await signIn(input.account, PASSWORDS.password)).code).toBe(1001);
  const { todoId } = added.data;
  expect((await by(clerk, admin.makePasswordLink, { todoId })).code).toBe(404);
  expect(await approve(clerk, added)).toBe(403);
  expect(await approve(boss, added)).toBe(200);
  expect((await by(clerk, admin.makePasswordLink, { todoId })).code).toBe(404);
  const first = (await by(boss, admin.makePasswordLink, { todoId })).data['token'] as string;
  const again = (await by(boss, admin.makePasswordLink, { todoId })).data['token'] as string;
  expect((await setBy(first)).code).toBe(404);
  expect(await post(app, user.getPasswordLink.path, { token: again })).toMatchObject({
    code: 200,
    data: { account: input.account },
  });
  expect((await setBy(again)).code).toBe(200);
  expect((await setBy(again, { password: 'Other harbour 9' })).code).toBe(404);
  expect((await signIn(input.account, PASSWORDS.password)).code).toBe(1006);
  const told = await node.platform.db.query<{ id: bigint }>(sql`
    select user_id as id from inbox_messages where kind = 'passwordsSet' and data ->> 'account' = ${input.account}`);
  expect(new Set(told.map(({ id }) => id))).toEqual(
    new Set([BigInt(added.data['id'] as string), clerk.id, boss.id]),
  );
  const stored = await node.platform.db.query(sql`select * from password_links`);
  const kept = await node.platform.db.query(sql`select after, before from audit_log`);
  expect(inspect([stored, kept], { depth: 9 })).not.toContain(again);
  const [row] = await node.platform.db.query(sql`
    select after, user_id as "userId", ip from audit_log where subject = ${`user:${input.account}`} and action = 'user.create'`);
  expect(row).toEqual({
    after: { account: input.account, nickname: 'New one', role: 'customerService' },
    userId: clerk.id,
    ip: '127.0.0.1',
  });
});

test('common passwords, patterns, the account’s name and two equal passwords are refused', async () => {
  const target = await createTestUser(node.platform, 'merchant', { account: 'newcomer' });
  const token = await linkFor(target);
  for (const password of ['password1', 'Qwerty12345', 'abcd1234', 'sangam2026', 'newcomer1'])
    for (const field of ['password', 'payPassword'])
      expect(await setBy(token, { [field]: password })).toMatchObject({
        code: 409,
        data: { reason: 'passwordCommon', fields: [{ path: field }] },
      });
  expect(await setBy(token, { payPassword: PASSWORDS.password })).toMatchObject({
    code: 409,
    data: { reason: 'samePassword' },
  });
  for (const weak of ['onlyletters', '1234567890', 'sh0rt'])
    expect((await setBy(token, { password: weak })).code).toBe(400);
  expect((await setBy(token)).code).toBe(200);
  // A name that is in no list of words.
  const odd = await createTestUser(node.platform, 'merchant', { account: 'xqvbtrmwkz' });
  expect(await setBy(await linkFor(odd), { password: 'Xqvbtrmwkz1' })).toMatchObject({
    code: 409,
    data: { reason: 'passwordCommon' },
  });
});

test('a link ends after a day, with a newer link, with another role and with its user', async () => {
  const target = await createTestUser(node.platform, 'customerService');
  const ended = async (token: string) => {
    expect((await post(app, user.getPasswordLink.path, { token })).code).toBe(404);
    expect((await setBy(token)).code).toBe(404);
  };
  const first = await linkFor(target);
  const second = await linkFor(target);
  await ended(first);
  const asked = await by(clerk, admin.updateUser, {
    id: String(target.id),
    nickname: 'x',
    account: target.account,
    role: 'technicalSupport',
  });
  expect([asked.code, await approve(boss, asked)]).toEqual([1205, 200]);
  await ended(second);
  const third = await linkFor(target);
  await by(clerk, admin.deleteUser, { id: String(target.id) });
  await ended(third);
  const other = await createTestUser(node.platform, 'customerService');
  const late = await linkFor(other);
  node.clock.advance(DAY);
  await ended(late);
  expect((await signIn(other.account, PASSWORD)).code).not.toBe(1001);
});

test.each(['is deleted', 'gets another role'])('a link ends when the admin who holds it %s', async (how) => {
  const { platform } = node;
  const holder = await createTestUser(platform, 'admin');
  const target = await createTestUser(platform, 'customerService', { enableGoogleVerify: false });
  const token = await linkFor(target, clerk, holder);
  if (how === 'is deleted') {
    expect((await by(boss, admin.deleteUser, { id: String(holder.id) })).code).toBe(200);
  } else {
    const { id, account } = holder;
    const input = { id: String(id), nickname: 'x', account, role: 'customerService' };
    const asked = await by(boss, admin.updateUser, input);
    expect([asked.code, await approve(await createTestUser(platform, 'superAdmin'), asked)]).toEqual([
      1205, 200,
    ]);
  }
  expect((await setBy(token)).code).toBe(404);
  expect((await signIn(target.account, PASSWORD)).code).toBe(200);
});

test('new passwords end sessions and lock-outs; until then the old passwords hold', async () => {
  const target = await createTestUser(node.platform, 'merchant', { enableGoogleVerify: false });
  const open = await signedIn(node.platform, target);
  const token = await linkFor(target);
  expect(await isOpen(open)).toBe(true);
  expect((await signIn(target.account, PASSWORD)).code).toBe(200);
  for (let failure = 0; failure < 5; failure += 1) await signIn(target.account, 'wrong');
  expect((await signIn(target.account, PASSWORD)).code).toBe(1005);
  expect((await setBy(token)).code).toBe(200);
  expect(await isOpen(open)).toBe(false);
  expect((await signIn(target.account, PASSWORD)).code).toBe(1001);
  const { token: opened } = (await signIn(target.account, PASSWORDS.password)).data as { token: string };
  const login2 = async (password: string) =>
    (await post(app, user.login2.path, { password }, { token: opened })).code;
  expect([await login2(PAY_PASSWORD), await login2(PASSWORDS.payPassword)]).toEqual([1025, 200]);
});
