import * as admin from '@sangam/contract/endpoints/admin.ts';
import * as todo from '@sangam/contract/endpoints/todo.ts';
import type { Role } from '@sangam/contract/roles.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../platform/db/database.ts';
import { type Called, call, post } from '../testing/call.ts';
import {
  PASSWORD,
  PAY_PASSWORD,
  type TestUser,
  createTestMerchant,
  createTestSupplier,
  createTestUser,
  signedIn,
} from '../testing/people.ts';
import { type TestPlatform, createTestPlatform } from '../testing/platform.ts';

let node: TestPlatform;
let app: FastifyInstance;
let boss: TestUser;
let clerk: TestUser;

beforeAll(async () => {
  node = await createTestPlatform();
  app = await node.app();
});
afterAll(() => node.close());
beforeEach(async () => {
  boss = await createTestUser(node.platform, 'superAdmin');
  clerk = await createTestUser(node.platform, 'admin');
});

const by = async (
  user: TestUser,
  { method, path }: { readonly method: 'GET' | 'POST'; readonly path: string },
  input: object = {},
): Promise<Called> => call(app, method, path, input, { ...(await signedIn(node.platform, user)) });

let made = 0;
const newUser = (fields: object = {}) => {
  made += 1;
  return {
    nickname: 'New one',
    account: `newcomer${made}`,
    access: 'merchant',
    ...fields,
  };
};
const lastAudit = async (account: string) =>
  (
    await node.platform.db.query<{
      action: string;
      userId: bigint;
      before: unknown;
      after: unknown;
      ip: string;
    }>(sql`
      select action, user_id as "userId", before, after, ip from audit_log
      where subject = ${`user:${account}`} order by id desc limit 1`)
  )[0];
const signIn = (userName: string, password: string) => post(app, '/v1.0/user/login', { userName, password });
/** A second person approves the request. */
const approve = async (user: TestUser, { data }: Called) =>
  (await by(user, todo.decide, { id: data['todoId'], approve: true })).code;
const isOpen = async (headers: { token: string }) =>
  (await post(app, '/v1.0/user/getInfo', {}, headers)).code === 200;

describe('addUser', () => {
  test.each([
    ['nickname', ' '],
    ['account', 'with space'],
    ['account', ''],
    ['account', 'ünïcode'],
    ['access', 'root'],
  ])('refuses %s = %s', async (field, value) => {
    const answer = await by(boss, admin.addUser, newUser({ [field]: value }));
    expect(answer).toMatchObject({ code: 400, data: { fields: [{ path: field }] } });
  });

  test('an account name exists once, in any letter case, also when two add it at once', async () => {
    const input = newUser();
    const answers = await Promise.all([1, 2, 3].map(() => by(boss, admin.addUser, input)));
    expect(answers.filter(({ code }) => code === 200)).toHaveLength(1);
    expect(answers.filter(({ code }) => code === 409)).toHaveLength(2);
    const again = await by(boss, admin.addUser, { ...input, account: input.account.toUpperCase() });
    expect(again).toMatchObject({ code: 409, data: { reason: 'accountExists' } });
  });

  test('only superAdmin adds admins and superAdmins', async () => {
    for (const access of ['admin', 'superAdmin'] as const) {
      expect((await by(clerk, admin.addUser, newUser({ access }))).code).toBe(403);
      expect((await by(boss, admin.addUser, newUser({ access }))).code).toBe(200);
    }
  });
});

describe('updateUser', () => {
  const update = (user: TestUser, target: TestUser, fields: object = {}) =>
    by(user, admin.updateUser, {
      id: String(target.id),
      nickname: 'Renamed',
      account: target.account,
      role: target.role,
      ...fields,
    });

  test('names change at once, a role by two people; it ends the sessions', async () => {
    const target = await createTestUser(node.platform, 'customerService');
    const open = await signedIn(node.platform, target);
    expect((await update(clerk, target)).code).toBe(200);
    expect(await isOpen(open)).toBe(true);
    expect(await lastAudit(target.account)).toMatchObject({
      action: 'user.update',
      userId: clerk.id,
      before: { nickname: `Test ${target.account}` },
      after: { nickname: 'Renamed' },
    });
    const asked = await update(clerk, target, { role: 'technicalSupport' });
    expect(asked.code).toBe(1205);
    expect(await isOpen(open)).toBe(true);
    expect(await approve(clerk, asked)).toBe(403);
    expect(await approve(boss, asked)).toBe(200);
    expect(await isOpen(open)).toBe(false);
    expect(await lastAudit(target.account)).toMatchObject({
      action: 'user.role',
      userId: boss.id,
      before: { role: 'customerService' },
      after: { role: 'technicalSupport' },
    });
  });

  test('an admin approves no request about admins, and nobody approves a request that opens their own account', async () => {
    const target = await createTestUser(node.platform, 'customerService');
    const raised = await update(boss, target, { role: 'admin' });
    expect([raised.code, await approve(clerk, raised)]).toEqual([1205, 403]);
    const peer = await createTestUser(node.platform, 'superAdmin');
    const own = await by(boss, admin.resetPayPassword, { id: String(peer.id) });
    expect([own.code, await approve(peer, own)]).toEqual([1205, 403]);
    expect(await approve(clerk, own)).toBe(403);
  });

  test("another's account name is refused, a merchant's user keeps its role", async () => {
    const { user } = await createTestMerchant(node.platform);
    expect(await update(clerk, user, { account: boss.account })).toMatchObject({
      code: 409,
      data: { reason: 'accountExists' },
    });
    expect(await update(clerk, user, { role: 'supplier' })).toMatchObject({
      code: 409,
      data: { reason: 'isParty' },
    });
  });

  test('an admin can neither change nor make an admin', async () => {
    expect((await update(clerk, clerk)).code).toBe(403);
    expect((await update(clerk, boss)).code).toBe(403);
    const target = await createTestUser(node.platform, 'customerService');
    expect((await update(clerk, target, { role: 'admin' })).code).toBe(403);
    expect((await update(boss, target, { role: 'admin' })).code).toBe(1205);
  });
});

describe('deleteUser', () => {
  const remove = (user: TestUser, target: TestUser) => by(user, admin.deleteUser, { id: String(target.id) });

  test('ends sessions, switches the merchant off, frees the account name', async () => {
    const { user, id } = await createTestMerchant(node.platform);
    const open = await signedIn(node.platform, user);
    expect((await remove(clerk, user)).code).toBe(200);
    expect(await isOpen(open)).toBe(false);
    expect((await signIn(user.account, PASSWORD)).code).toBe(1001);
    expect((await remove(clerk, user)).code).toBe(404);
    const rows = await node.platform.db.query(sql`select enabled from merchants where id = ${id}`);
    expect(rows).toEqual([{ enabled: false }]);
    expect(await lastAudit(user.account)).toMatchObject({
      action: 'user.delete',
      before: { role: 'merchant' },
    });
    expect((await by(boss, admin.addUser, newUser({ account: user.account }))).code).toBe(200);
  });

  test('an admin deletes no admin; nobody deletes themselves', async () => {
    expect((await remove(clerk, boss)).code).toBe(403);
    expect(await remove(boss, boss)).toMatchObject({ code: 409, data: { reason: 'ownUser' } });
  });

  test('one superAdmin remains, also when two delete each other at once', async () => {
    const own = await createTestPlatform();
    const itsApp = await own.app();
    const [a, b] = await Promise.all([1, 2].map(() => createTestUser(own.platform, 'superAdmin')));
    const remove2 = async (who: TestUser, target: TestUser) =>
      call(
        itsApp,
        'GET',
        admin.deleteUser.path,
        { id: String(target.id) },
        { ...(await signedIn(own.platform, who)) },
      );
    const answers = await Promise.all([remove2(a!, b!), remove2(b!, a!)]);
    expect(answers.filter(({ code }) => code === 200)).toHaveLength(1);
    const left = await own.platform.db.query<{ id: bigint }>(
      sql`select id from users where role = 'superAdmin' and deleted_at is null`,
    );
    expect(left).toHaveLength(1);
    const last = left[0]!.id === a!.id ? a! : b!;
    expect(await remove2(last, last)).toMatchObject({ code: 409, data: { reason: 'lastSuperAdmin' } });
    const demote = { id: String(last.id), nickname: 'x', account: last.account, role: 'admin' };
    const demoted = await post(itsApp, admin.updateUser.path, demote, {
      ...(await signedIn(own.platform, last)),
    });
    expect(demoted).toMatchObject({ code: 409, data: { reason: 'lastSuperAdmin' } });
    await own.close();
  });

  test('a GET that writes is refused to technicalMaintenance, from other sites and without the second password', async () => {
    const maintenance = await createTestUser(node.platform, 'technicalMaintenance');
    const target = await createTestUser(node.platform, 'merchant');
    expect((await remove(maintenance, target)).code).toBe(403);
    const headers = { ...(await signedIn(node.platform, boss)) };
    const get = (more: object) =>
      call(app, 'GET', admin.deleteUser.path, { id: String(target.id) }, { ...headers, ...more });
    expect((await get({ 'sec-fetch-site': 'cross-site' })).code).toBe(403);
    expect((await get({ token2: '' })).code).toBe(1024);
    expect((await get({})).code).toBe(200);
  });
});

test('repairUser renames, lifts lock-outs, ends sessions, and brings a deleted user back without passwords', async () => {
  const target = await createTestUser(node.platform, 'customerService', { enableGoogleVerify: false });
  const open = await signedIn(node.platform, target);
  for (let failure = 0; failure < 5; failure += 1) await signIn(target.account, 'wrong');
  expect((await signIn(target.account, PASSWORD)).code).toBe(1005);
  await by(clerk, admin.deleteUser, { id: String(target.id) });
  const name = `${target.account}again`;
  const repair = { userId: String(target.id), newAccountName: name };
  expect((await by(clerk, admin.repairUser, { ...repair, newAccountName: boss.account })).code).toBe(409);
  expect((await by(clerk, admin.repairUser, { ...repair, newAccountName: 'no good' })).code).toBe(400);
  expect((await by(clerk, admin.repairUser, repair)).code).toBe(200);
  expect(await isOpen(open)).toBe(false);
  // The password it had before opens nothing.
  expect((await signIn(name, PASSWORD)).code).toBe(1001);
  expect(await lastAudit(target.account)).toMatchObject({
    action: 'user.repair',
    before: { account: target.account, deleted: true },
    after: { account: name, deleted: false },
  });
});

test('enableGoogleVerify switches the code at sign-in on; switching it off takes two people', async () => {
  const target = await createTestUser(node.platform, 'supplier');
  const set = (enable: boolean) =>
    by(clerk, admin.enableGoogleVerify, { userId: String(target.id), enableGoogleVerify: enable });
  expect((await signIn(target.account, PASSWORD)).code).toBe(1002);
  const asked = await set(false);
  expect(asked.code).toBe(1205);
  expect((await signIn(target.account, PASSWORD)).code).toBe(1002);
  expect(await approve(boss, asked)).toBe(200);
  expect((await signIn(target.account, PASSWORD)).code).toBe(200);
  expect((await set(true)).code).toBe(200);
  expect((await signIn(target.account, PASSWORD)).code).toBe(1002);
});

describe('the own profile', () => {
  const change = async (user: TestUser, path: string, oldPassword: string, newPassword = 'brand new 42') =>
    post(app, path, { oldPassword, newPassword }, { ...(await signedIn(node.platform, user)) });

  const COMMON = { reason: 'passwordCommon', fields: [{ path: 'newPassword' }] };

  test('a new password for the old one; other sessions end; five wrong ones lock', async () => {
    const user = await createTestUser(node.platform, 'supplier', { enableGoogleVerify: false });
    const other = await signedIn(node.platform, user);
    const { path } = admin.changeOwnPassword;
    expect((await change(user, path, 'wrong')).code).toBe(1001);
    expect((await change(user, path, PASSWORD, 'nodigits')).code).toBe(400);
    expect((await change(user, path, PASSWORD, 'password1')).data).toMatchObject(COMMON);
    expect((await change(user, path, PASSWORD)).code).toBe(200);
    expect(await isOpen(other)).toBe(false);
    expect((await signIn(user.account, PASSWORD)).code).toBe(1001);
    expect((await signIn(user.account, 'brand new 42')).code).toBe(200);
    for (let failure = 0; failure < 5; failure += 1) await change(user, path, 'wrong');
    expect((await change(user, path, 'brand new 42')).code).toBe(1005);
  });

  test('a new second-level password for the old one; the first is set by a link', async () => {
    const user = await createTestUser(node.platform, 'merchant');
    const { path } = admin.changeOwnPayPassword;
    expect((await change(user, path, PASSWORD)).code).toBe(1025);
    expect((await change(user, path, PAY_PASSWORD, 'password1')).data).toMatchObject(COMMON);
    expect((await change(user, path, PAY_PASSWORD)).code).toBe(200);
    const { token } = await signedIn(node.platform, user);
    const login2 = async (password: string) =>
      (await post(app, '/v1.0/user/login2', { password }, { token })).code;
    expect(await login2('brand new 42')).toBe(200);
    expect(await login2(PAY_PASSWORD)).toBe(1025);
    await node.platform.db.query(sql`update users set pay_password_hash = null where id = ${user.id}`);
    expect((await change(user, path, 'brand new 42')).code).toBe(1025);
  });

  test('a user with a locked profile cannot change its own passwords and authenticator', async () => {
    const user = await createTestUser(node.platform, 'merchant');
    const lock = (allowModify: boolean) =>
      by(clerk, admin.setAllowModify, { userId: String(user.id), allowModify });
    expect((await lock(false)).code).toBe(200);
    const headers = { ...(await signedIn(node.platform, user)) };
    const userAccount = user.account;
    for (const path of ['/v1.0/user/bindUserForProfile', '/v1.0/user/unbindForProfile']) {
      expect(await post(app, path, { userAccount }, headers)).toMatchObject({
        code: 403,
        data: { reason: 'profileLocked' },
      });
    }
    expect((await change(user, admin.changeOwnPassword.path, PASSWORD)).code).toBe(403);
    expect((await change(user, admin.changeOwnPayPassword.path, PAY_PASSWORD)).code).toBe(403);
    expect((await lock(true)).code).toBe(200);
    expect((await change(user, admin.changeOwnPassword.path, PASSWORD)).code).toBe(200);
  });
});

test.each([
  admin.updateUser,
  admin.deleteUser,
  admin.repairUser,
  admin.resetPayPassword,
  admin.setAllowModify,
])('$path of nobody is not found', async (each) => {
  const input = {
    id: '5',
    userId: '5',
    nickname: 'x',
    account: 'nobodyx',
    role: 'merchant',
    newAccountName: 'x',
    allowModify: true,
  };
  expect((await by(boss, each, input)).code).toBe(404);
});

describe('lists', () => {
  type Row = Record<string, unknown>;
  const listOf = (answer: Called) => answer.data['list'] as Row[];

  test('users by role and part of the name; deleted ones when asked for; what the viewer may change', async () => {
    const target = await createTestUser(node.platform, 'technicalSupport', { account: 'SearchMe1' });
    const list = async (user: TestUser, query: object) => listOf(await by(user, admin.getUserList, query));
    const [row] = await list(clerk, { account: 'searchm', role: 'technicalSupport' });
    expect(row).toMatchObject({
      account: 'SearchMe1',
      confirmBind: true,
      allowModify: true,
      mayChange: true,
    });
    expect((await list(clerk, { account: boss.account }))[0]).toMatchObject({ mayChange: false });
    await by(boss, admin.deleteUser, { id: String(target.id) });
    expect(await list(clerk, { account: 'searchm' })).toEqual([]);
    expect(await list(clerk, { account: 'searchm', includeDeleted: 'true' })).toMatchObject([
      { deletedTime: expect.stringMatching(/^2026-/) },
    ]);
  });

  test('options: by role; users without a merchant or supplier; an agent’s levels', async () => {
    const agent = await createTestSupplier(node.platform);
    const member = await createTestSupplier(node.platform, { agentId: agent.id });
    const deep = await createTestSupplier(node.platform, { agentId: member.id });
    const unused = await createTestUser(node.platform, 'supplier');
    const accounts = (answer: Called) => listOf(answer).map((row) => row['account']);

    const unusedOnes = accounts(await by(clerk, admin.getUnusedUserOptions, { role: 'supplier' }));
    expect(unusedOnes).toContain(unused.account);
    expect(unusedOnes).not.toContain(agent.user.account);
    expect(accounts(await by(clerk, admin.getUserOptions, { role: 'superAdmin' }))).toContain(boss.account);
    expect(accounts(await by(clerk, admin.getUserOptions, { role: 'superAdmin' }))).not.toContain(
      clerk.account,
    );

    const suppliers = (query: object) => by(agent.user, admin.getSupplierUserOptions, query);
    expect(accounts(await suppliers({}))).toEqual([agent.user.account, member.user.account]);
    expect(accounts(await suppliers({ isGetAllAgentSupplier: 'true' }))).toEqual([
      agent.user.account,
      member.user.account,
      deep.user.account,
    ]);
    expect(accounts(await by(clerk, admin.getSupplierUserOptions))).toContain(deep.user.account);
  });

  test.each(['supplier', 'merchant', 'customerService'] as const)('%s manages nobody', async (role: Role) => {
    const user = await createTestUser(node.platform, role);
    expect((await by(user, admin.getUserList)).code).toBe(403);
    expect((await by(user, admin.addUser, newUser())).code).toBe(403);
  });
});
