import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import { type Called, call, post } from '../../testing/call.ts';
import { openIdentityProvider } from '../../testing/identity-provider.ts';
import { type TestUser, createTestUser, signedIn } from '../../testing/people.ts';
import { type TestPlatform, createTestPlatform } from '../../testing/platform.ts';
import { softwarePasskey } from '../../testing/software-passkey.ts';
import { codeAt } from '../google-code.ts';

const CLIENT = { id: 'sangam', secret: 'client secret 42' };

let node: TestPlatform;
let app: FastifyInstance;
let provider: Awaited<ReturnType<typeof openIdentityProvider>>;

beforeAll(async () => {
  node = await createTestPlatform();
  provider = await openIdentityProvider(CLIENT);
  node.platform.config.companySignIn = {
    issuer: provider.issuer,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    name: 'Example Corp',
    groupsClaim: 'groups',
    roles: new Map([
      ['desk', 'customerService'],
      ['ops', 'admin'],
    ]),
  };
  app = await node.app();
});
afterAll(async () => {
  await node.close();
  await provider.close();
});

const PATH = '/v1.0/companySignIn';
const begin = () => post(app, `${PATH}/begin`);
const state = (begun: Called) => begun.data['state'] as string;
const back = (begun: Called, claims: object) => ({
  state: state(begun),
  query: provider.approve(begun.data['url'] as string, { ...claims }),
});

async function link(user: TestUser, claims: object): Promise<Called> {
  const session = await signedIn(node.platform, user);
  const begun = await post(app, `${PATH}/beginLink`, {}, session);
  return post(app, `${PATH}/link`, back(begun, claims), session);
}

async function comeIn(claims: object): Promise<Called> {
  return post(app, `${PATH}/signIn`, back(await begin(), claims));
}

const code = (user: TestUser) => codeAt(user.googleSecret, node.clock.now());
const reason = (answer: Called) => answer.data['reason'];
let made = 0;
const person = (groups: readonly string[] = ['desk']) => ({ sub: `person-${(made += 1)}`, groups });
const deskUser = (more: object = {}) => createTestUser(node.platform, 'customerService', more);

test('a linked user signs in by the company’s service and its own second factor', async () => {
  const user = await deskUser();
  const me = person();
  expect((await link(user, me)).code).toBe(200);
  const asked = await comeIn(me);
  expect(asked).toMatchObject({ code: 1009, cookie: undefined, data: { code: true } });
  const { ticket } = asked.data as { readonly ticket: string };
  const confirm = (more: object) => post(app, `${PATH}/confirm`, { ticket, ...more });
  expect((await confirm({ googleCode: '000000' })).code).toBe(1002);
  expect((await confirm({})).code).toBe(1002);
  const done = await confirm({ googleCode: code(user) });
  expect(done.code).toBe(200);
  expect(
    (await post(app, '/v1.0/user/getInfo', {}, { token: done.data['token'] as string })).data,
  ).toMatchObject({
    account: user.account,
  });
  // The ticket has been used.
  node.clock.advance(30 * SECOND);
  expect((await confirm({ googleCode: code(user) })).code).toBe(1010);
});

test('a passkey is the second factor too, and an authenticator not bound yet is bound first', async () => {
  const user = await deskUser();
  const [me, passkey] = [person(), softwarePasskey()];
  const session = await signedIn(node.platform, user);
  const options = (await post(app, '/v1.0/passkey/begin', {}, session)).data['options'];
  const added = { name: 'key', passkey: passkey.make(options) };
  await link(user, me);
  expect((await post(app, '/v1.0/passkey/add', added, session)).code).toBe(200);
  const asked = (await comeIn(me)).data;
  const confirmed = { ticket: asked['ticket'], passkey: passkey.sign(asked['options']) };
  expect((await post(app, `${PATH}/confirm`, confirmed)).code).toBe(200);

  const unbound = await deskUser({ bound: false });
  const other = person();
  await link(unbound, other);
  const binding = await comeIn(other);
  expect([binding.code, typeof binding.data['token']]).toEqual([1006, 'string']);
});

test('a user with a passkey and no authenticator is asked for the passkey; a code without a bound authenticator opens nothing', async () => {
  const user = await deskUser();
  const [me, passkey] = [person(), softwarePasskey()];
  const session = await signedIn(node.platform, user);
  await link(user, me);
  const options = (await post(app, '/v1.0/passkey/begin', {}, session)).data['options'];
  const added = { name: 'key', passkey: passkey.make(options) };
  expect((await post(app, '/v1.0/passkey/add', added, session)).code).toBe(200);
  const own = { userAccount: user.account };
  expect((await post(app, '/v1.0/user/unbindForProfile', own, session)).code).toBe(200);
  const asked = await comeIn(me);
  expect(asked).toMatchObject({ code: 1009, data: { code: false } });
  const confirm = (more: object) => post(app, `${PATH}/confirm`, { ticket: asked.data['ticket'], ...more });
  for (const more of [{}, { googleCode: '123456' }])
    expect(await confirm(more)).toMatchObject({ code: 1008, cookie: undefined });
  expect((await confirm({ passkey: passkey.sign(asked.data['options']) })).code).toBe(200);
});

test('a user who is not linked, or whose groups no longer allow its role, cannot sign in', async () => {
  expect(await comeIn(person())).toMatchObject({ code: 1010, data: { reason: 'notLinked' } });
  const user = await deskUser();
  const me = person();
  await link(user, me);
  for (const groups of [[], ['ops'], ['Desk'], undefined])
    expect(reason(await comeIn({ ...me, groups }))).toBe('notInGroup');
  const refused = await node.platform.db.query(sql`
    select 1 from audit_log where user_id = ${user.id} and action = 'user.signInRefused'`);
  expect(refused).toHaveLength(4);
  expect((await comeIn(me)).code).toBe(1009);
});

test('an identity belongs to one user, who links it in its own session', async () => {
  const [user, other] = [await deskUser(), await deskUser()];
  const me = person();
  expect((await link(user, me)).code).toBe(200);
  expect((await link(other, me)).code).toBe(409);
  expect((await link(user, person())).code).toBe(409);
  // A person whose groups do not allow the role.
  expect(reason(await link(await createTestUser(node.platform, 'superAdmin'), person(['ops'])))).toBe(
    'notInGroup',
  );

  const [mine, hers] = [
    await signedIn(node.platform, other),
    await signedIn(node.platform, await deskUser()),
  ];
  const begun = await post(app, `${PATH}/beginLink`, {}, mine);
  expect((await post(app, `${PATH}/link`, back(begun, person()), hers)).code).toBe(1010);
  // A visit that began as a sign-in cannot link, and the reverse.
  expect((await post(app, `${PATH}/link`, back(await begin(), person()), hers)).code).toBe(1010);
  const linking = await post(app, `${PATH}/beginLink`, {}, mine);
  expect((await post(app, `${PATH}/signIn`, back(linking, me))).code).toBe(1010);
  expect((await post(app, `${PATH}/beginLink`, {}, { token: mine.token })).code).toBe(1024);
});

test('an answer counts once, only for the visit it belongs to, and for ten minutes', async () => {
  const user = await deskUser();
  const me = person();
  await link(user, me);
  const [one, two] = [await begin(), await begin()];
  const answer = back(one, me);
  // Another visit's answer is refused: state, nonce and verifier belong to one visit.
  expect((await post(app, `${PATH}/signIn`, { ...answer, state: state(two) })).code).toBe(1010);
  expect((await post(app, `${PATH}/signIn`, answer)).code).toBe(1009);
  expect((await post(app, `${PATH}/signIn`, answer)).code).toBe(1010);
  const late = await begin();
  node.clock.advance(10 * MINUTE);
  expect((await post(app, `${PATH}/signIn`, back(late, me))).code).toBe(1010);
  for (const query of ['', 'code=x', 'error=access_denied', 'code=1&code=2&state=3'])
    expect(
      (await post(app, `${PATH}/signIn`, { state: state(await begin()), query: query || 'x' })).code,
    ).toBe(1010);
});

test('when two admins remove the sign-in factors the link ends; the user is notified of a new link', async () => {
  const user = await deskUser();
  const me = person();
  await link(user, me);
  const told = await node.platform.db.query(sql`select kind from inbox_messages where user_id = ${user.id}`);
  expect(told).toEqual([{ kind: 'identityLinked' }]);
  const own = await call(app, 'GET', `${PATH}/getOwn`, {}, await signedIn(node.platform, user));
  expect(own.data).toMatchObject({ name: 'Example Corp', linkedTime: expect.any(String) as string });
  const admin = async () => signedIn(node.platform, await createTestUser(node.platform, 'admin'));
  const asked = await post(app, '/v1.0/user/unbind', { userAccount: user.account }, await admin());
  await post(app, '/v1.0/todo/decide', { id: asked.data['todoId'], approve: true }, await admin());
  expect(reason(await comeIn(me))).toBe('notLinked');
});

test('without an identity service the sign-in is not offered; a silent service gets an error of its own', async () => {
  const { config } = node.platform;
  const company = config.companySignIn;
  config.companySignIn = undefined;
  expect((await call(app, 'GET', `${PATH}/get`)).data).toEqual({ name: null });
  expect((await begin()).code).toBe(404);
  const silent = await createTestPlatform();
  silent.platform.config.companySignIn = { ...company!, issuer: 'http://127.0.0.1:9' };
  expect((await post(await silent.app(), `${PATH}/begin`)).code).toBe(1011);
  await silent.close();
  config.companySignIn = company;
});
