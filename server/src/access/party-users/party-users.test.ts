import * as admin from '@sangam/contract/endpoints/admin.ts';
import * as callback from '@sangam/contract/endpoints/callback.ts';
import * as fund from '@sangam/contract/endpoints/fund.ts';
import * as merchant from '@sangam/contract/endpoints/merchant.ts';
import * as party from '@sangam/contract/endpoints/party-user.ts';
import * as todo from '@sangam/contract/endpoints/todo.ts';
import * as user from '@sangam/contract/endpoints/user.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DAY, SECOND } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import { type Called, call, post } from '../../testing/call.ts';
import {
  type TestUser,
  createTestMember,
  createTestMerchant,
  createTestSupplier,
  createTestUser,
  signedIn,
} from '../../testing/people.ts';
import { type TestPlatform, createTestPlatform } from '../../testing/platform.ts';
import { MOST_MEMBERS } from './party-users.ts';

let node: TestPlatform;
let app: FastifyInstance;
let boss: TestUser;
/** The user the merchant was made with. */
let first: TestUser;
let merchantId: bigint;

beforeAll(async () => {
  node = await createTestPlatform();
  app = await node.app();
});
afterAll(() => node.close());
beforeEach(async () => {
  boss = await createTestUser(node.platform, 'superAdmin');
  ({ id: merchantId, user: first } = await createTestMerchant(node.platform));
});

const by = async (
  who: TestUser,
  { method, path }: { readonly method: 'GET' | 'POST'; readonly path: string },
  input: object = {},
): Promise<Called> => call(app, method, path, input, { ...(await signedIn(node.platform, who)) });
const approve = async ({ data }: Called, who = boss) =>
  (await by(who, todo.decide, { id: data['todoId'], approve: true })).code;
const member = (partyRole: Parameters<typeof createTestMember>[2]) =>
  createTestMember(node.platform, { merchantId }, partyRole);
const usersOf = async (who: TestUser) =>
  (await by(who, party.getPartyUsers)).data['list'] as readonly party.PartyUser[];
const rotated = (who: TestUser) =>
  by(who, merchant.rotateSecret, { id: String(merchantId), overlapMinutes: 0 });
const isOpen = async (headers: { readonly token: string }) =>
  (await post(app, user.getInfo.path, {}, headers)).code === 200;

let made = 0;
const invited = async (who: TestUser, partyRole: string) => {
  made += 1;
  const account = `colleague${made}`;
  const asked = await by(who, party.invitePartyUser, { account, nickname: 'A colleague', partyRole });
  return { account, asked };
};

test('an invited user sets its own passwords by an admin’s link, and acts for the merchant a day later', async () => {
  const { account, asked } = await invited(first, 'developer');
  expect(asked.code).toBe(1205);
  expect(await usersOf(first)).toMatchObject([
    { account: first.account, partyRole: 'owner', isFirst: true, hasPassword: true, waits: false },
    { account, partyRole: 'developer', isFirst: false, hasPassword: false, waits: true },
  ]);
  expect(await approve(asked)).toBe(200);
  const { todoId } = asked.data;
  // The owner never gets the link.
  expect((await by(first, admin.makePasswordLink, { todoId })).code).toBe(403);
  const link = await by(boss, admin.makePasswordLink, { todoId });
  const passwords = { password: 'Quiet harbour 7', payPassword: 'Loud harbour 8' };
  expect((await post(app, user.setPasswords.path, { token: link.data['token'], ...passwords })).code).toBe(
    200,
  );
  expect((await post(app, user.login.path, { userName: account, password: passwords.password })).code).toBe(
    1006,
  );
  const [row] = await node.platform.db.query<{ id: bigint }>(
    sql`select id from users where account = ${account}`,
  );
  const colleague: TestUser = { id: row!.id, account, role: 'merchant', googleSecret: '' };
  expect((await by(colleague, user.getInfo)).data).toMatchObject({
    access: 'merchant',
    merchantId: String(merchantId),
    partyRole: 'developer',
  });
  // An admin had the link, so the user it opened changes nothing for a day.
  expect(await rotated(colleague)).toMatchObject({ code: 403, data: { reason: 'freshMember' } });
  node.clock.advance(DAY + SECOND);
  expect((await rotated(colleague)).code).toBe(200);
});

test('for a day after a new link the user the merchant was made with changes nothing either', async () => {
  const other = await createTestUser(node.platform, 'superAdmin');
  const reset = async (who: TestUser) => {
    const asked = await by(other, admin.resetPayPassword, { id: String(who.id) });
    expect(await approve(asked)).toBe(200);
    const link = await by(boss, admin.makePasswordLink, { todoId: asked.data['todoId'] });
    const passwords = { password: 'Quiet harbour 7', payPassword: 'Loud harbour 8' };
    await post(app, user.setPasswords.path, { token: link.data['token'], ...passwords });
  };
  // On a merchant's first day there is nothing to take yet.
  await reset(first);
  expect((await rotated(first)).code).toBe(200);
  node.clock.advance(DAY + SECOND);
  await reset(first);
  const withdrawn = () => by(first, fund.withdrawFunds, money);
  const money = {
    ownerKind: 'merchant',
    ownerId: String(merchantId),
    currency: 'INR',
    amount: 1_00,
    reason: 'mine',
  };
  expect(await withdrawn()).toMatchObject({ code: 403, data: { reason: 'freshMember' } });
  expect((await by(first, user.endOwnSessions)).code).toBe(200);
  node.clock.advance(DAY + SECOND);
  expect((await withdrawn()).code).not.toBe(403);
});

test('a further user sees what its merchant sees and changes what its role says', async () => {
  const support = await member('support');
  const other = await createTestMerchant(node.platform);
  expect((await by(support, callback.resendCallbacks, { ids: ['1'] })).code).not.toBe(403);
  expect(await rotated(support)).toMatchObject({ code: 403, data: { reason: 'partyRole' } });
  const developer = await member('developer');
  expect((await rotated(developer)).code).toBe(200);
  expect((await by(developer, merchant.rotateSecret, { id: String(other.id), overlapMinutes: 0 })).code).toBe(
    403,
  );
  expect((await by(developer, party.invitePartyUser)).data).toMatchObject({ reason: 'partyRole' });
});

test('an owner reduces a role at once, and extends one only with an admin', async () => {
  const finance = await member('finance');
  const set = (partyRole: string) => by(first, party.setPartyRole, { userId: String(finance.id), partyRole });
  const roleOf = async () => (await usersOf(first)).find(({ id }) => id === String(finance.id))!.partyRole;
  const raised = await set('owner');
  expect([raised.code, await roleOf()]).toEqual([1205, 'finance']);
  expect(await set('readOnly')).toMatchObject({ code: 200 });
  expect(await roleOf()).toBe('readOnly');
  // The role was changed since, so the request no longer fits.
  expect(await approve(raised)).toBe(409);
  expect((await by(first, todo.withdraw, { id: raised.data['todoId'] })).code).toBe(200);
  expect(await approve(await set('finance'))).toBe(200);
  expect(await roleOf()).toBe('finance');
});

test('a removed user’s sessions end at once, and its name is free again', async () => {
  const finance = await member('finance');
  const session = await signedIn(node.platform, finance);
  expect(await isOpen(session)).toBe(true);
  expect((await by(first, party.removePartyUser, { userId: String(finance.id) })).code).toBe(200);
  expect(await isOpen(session)).toBe(false);
  expect(await usersOf(first)).toHaveLength(1);
  expect((await by(first, party.removePartyUser, { userId: String(finance.id) })).code).toBe(404);
  const again = { account: finance.account, nickname: 'Another', partyRole: 'readOnly' };
  expect((await by(first, party.invitePartyUser, again)).code).toBe(1205);
});

test('a request of a user who was removed since is not executed', async () => {
  const owner = await member('owner');
  const { account, asked } = await invited(owner, 'finance');
  expect((await by(first, party.removePartyUser, { userId: String(owner.id) })).code).toBe(200);
  const decision = { id: asked.data['todoId'], approve: true };
  expect(await by(boss, todo.decide, decision)).toMatchObject({
    code: 409,
    data: { reason: 'starterChanged' },
  });
  expect((await by(boss, admin.makePasswordLink, { todoId: asked.data['todoId'] })).code).toBe(404);
  expect((await by(boss, todo.decide, { ...decision, approve: false })).code).toBe(200);
  expect((await usersOf(first)).find((each) => each.account === account)).toMatchObject({ waits: false });
});

test('a request made in a role that the user has lost since is not executed', async () => {
  const owner = await member('owner');
  const { asked } = await invited(owner, 'finance');
  const lower = { userId: String(owner.id), partyRole: 'readOnly' };
  expect(await by(first, party.setPartyRole, lower)).toMatchObject({ code: 200 });
  const decision = { id: asked.data['todoId'], approve: true };
  expect(await by(boss, todo.decide, decision)).toMatchObject({
    code: 409,
    data: { reason: 'starterChanged' },
  });
  expect((await by(boss, todo.decide, { ...decision, approve: false })).code).toBe(200);
});

test('nobody can change users of another party, themselves, or the user the party was made with', async () => {
  const owner = await member('owner');
  const foreign = await createTestSupplier(node.platform);
  const stranger = await createTestMember(node.platform, { supplierId: foreign.id }, 'finance');
  const remove = (who: TestUser, { id }: TestUser) => by(who, party.removePartyUser, { userId: String(id) });
  for (const target of [stranger, foreign.user, boss, first])
    expect((await remove(owner, target)).code).toBe(404);
  expect(await remove(owner, owner)).toMatchObject({ code: 409, data: { reason: 'notYourself' } });
  expect((await by(owner, party.resetPartyUser, { userId: String(stranger.id), what: 'unbound' })).code).toBe(
    404,
  );
});

test('a further user keeps its role on the platform and ends with the user the party was made with', async () => {
  const finance = await member('finance');
  const session = await signedIn(node.platform, finance);
  const changed = { id: String(finance.id), account: finance.account, nickname: 'x', role: 'admin' };
  expect(await by(boss, admin.updateUser, changed)).toMatchObject({ code: 409, data: { reason: 'isParty' } });
  await expect(
    node.platform.db.query(sql`update users set role = 'admin' where id = ${finance.id}`),
  ).rejects.toThrow('member_is_user');
  expect((await by(boss, admin.deleteUser, { id: String(first.id) })).code).toBe(200);
  expect(await isOpen(session)).toBe(false);
});

test('the addresses a merchant’s users may come from hold for further ones too', async () => {
  const finance = await member('finance');
  const session = await signedIn(node.platform, finance);
  await node.platform.db.query(
    sql`update merchants set console_ips = '{203.0.113.7}' where id = ${merchantId}`,
  );
  node.clock.advance(2 * SECOND);
  await expect.poll(async () => (await post(app, user.getInfo.path, {}, session)).code).toBe(1107);
});

test('a party has a limited number of further users, also when two are invited at once', async () => {
  for (let count = 1; count < MOST_MEMBERS; count += 1) await member('readOnly');
  const both = await Promise.all([invited(first, 'support'), invited(first, 'support')]);
  expect(both.map(({ asked }) => asked.code)).toEqual(expect.arrayContaining([1205, 409]));
});
