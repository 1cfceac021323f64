import { createHash, verify } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApproval } from '../../approvals/start.ts';
import { MINUTE, SECOND } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import { isRefusal } from '../../platform/refusal.ts';
import { type Called, call, post } from '../../testing/call.ts';
import { PASSWORD, type TestUser, createTestUser, signedIn } from '../../testing/people.ts';
import { type TestPlatform, createTestPlatform } from '../../testing/platform.ts';
import { passkeyHeader, softwarePasskey } from '../../testing/software-passkey.ts';
import { makeMerchant, viewerOf } from '../../testing/world.ts';
import { codeAt } from '../google-code.ts';
import { challengeFor } from './step-up.ts';

let node: TestPlatform;
let app: FastifyInstance;
let merchantId: bigint;

beforeAll(async () => {
  node = await createTestPlatform();
  app = await node.app();
  ({ merchantId } = await makeMerchant(node.platform));
});
afterAll(() => node.close());

type Session = Awaited<ReturnType<typeof signedIn>>;
type Passkey = ReturnType<typeof softwarePasskey>;

const options = (answer: Called) => answer.data['options'];
const login = (user: TestUser, more: object = {}) =>
  post(app, '/v1.0/user/login', { userName: user.account, password: PASSWORD, ...more });

async function add(session: Session, passkey: Passkey, headers: object = {}): Promise<Called> {
  const begun = await post(app, '/v1.0/passkey/begin', {}, { ...session, ...headers });
  const input = { name: 'phone', passkey: passkey.make(options(begun)) };
  return post(app, '/v1.0/passkey/add', input, session);
}

async function userWithPasskey(role: 'admin' | 'superAdmin' | 'customerService' = 'admin') {
  const user = await createTestUser(node.platform, role);
  const session = await signedIn(node.platform, user);
  const passkey = softwarePasskey();
  expect((await add(session, passkey)).code).toBe(200);
  return { user, session, passkey };
}

/** The statement that the passkey has to sign for a call. */
async function toSign(session: Session, path: string, input: object): Promise<unknown> {
  return options(
    await post(app, '/v1.0/passkey/beginStepUp', { call: path, input }, { token: session.token }),
  );
}

let requests = 0;
async function request(amount = 50_000_00): Promise<string> {
  const { platform } = node;
  const starter = await createTestUser(platform, 'customerService');
  requests += 1;
  const viewer = {
    ...viewerOf(platform, { role: 'customerService', userId: starter.id }),
    account: starter.account,
  };
  const asked = await platform.db.tx((tx) =>
    startApproval(platform, tx, viewer, {
      kind: 'topUp',
      subjectKind: 'merchant',
      subjectId: merchantId,
      payload: { currency: 'INR', bucket: 'available', amount: amount + requests },
      reason: 'seen by the bank',
      sole: false,
    }),
  );
  if (isRefusal(asked)) throw new Error(asked.code);
  return String(asked.todoId);
}

test('a user with a passkey is asked for it at sign-in; each answer counts once', async () => {
  const { user, passkey } = await userWithPasskey();
  const asked = await login(user);
  expect(asked).toMatchObject({ status: 401, code: 1007, cookie: undefined });
  const answer = passkey.sign(options(asked));
  expect((await login(user, { passkey: answer })).code).toBe(200);
  expect((await login(user, { passkey: answer })).code).toBe(1008);
  // The password comes first.
  const stranger = await post(app, '/v1.0/user/login', {
    userName: user.account,
    password: 'wrong horse 42',
  });
  expect([stranger.code, options(stranger)]).toEqual([1001, undefined]);
  // The code of the authenticator is accepted too.
  expect((await login(user, { googleCode: codeAt(user.googleSecret, node.clock.now()) })).code).toBe(200);
});

test('an answer without user verification, for another site, by another key or too late signs nobody in', async () => {
  const { user, passkey } = await userWithPasskey();
  const other = await userWithPasskey();
  const ask = async () => options(await login(user));
  expect((await login(user, { passkey: passkey.sign(await ask(), false) })).code).toBe(1008);
  expect((await login(user, { passkey: other.passkey.sign(await ask()) })).code).toBe(1008);
  // A challenge of another user's sign-in.
  expect((await login(user, { passkey: passkey.sign(options(await login(other.user))) })).code).toBe(1008);
  const late = passkey.sign(await ask());
  node.clock.advance(5 * MINUTE);
  expect((await login(user, { passkey: late })).code).toBe(1008);
  const phished = { ...passkey.sign(await ask()) };
  const elsewhere = Buffer.from(phished.response.clientDataJSON, 'base64url')
    .toString()
    .replace('console', 'c0nsole');
  phished.response = { ...phished.response, clientDataJSON: Buffer.from(elsewhere).toString('base64url') };
  expect((await login(user, { passkey: phished })).code).toBe(1008);
  // Those were five failures.
  expect((await login(user, { passkey: passkey.sign({ challenge: 'AAAA' }) })).code).toBe(1005);
});

test('being asked for a passkey is not a failure', async () => {
  const { user, passkey } = await userWithPasskey();
  for (let n = 0; n < 7; n += 1) expect((await login(user)).code).toBe(1007);
  expect((await login(user, { passkey: passkey.sign(options(await login(user))) })).code).toBe(200);
});

test('a passkey replaces a removed authenticator: the password alone cannot bind a new one', async () => {
  const { user, session, passkey } = await userWithPasskey();
  const removed = await post(app, '/v1.0/user/unbindForProfile', { userAccount: user.account }, session);
  expect(removed.code).toBe(200);
  const asked = await login(user);
  expect([asked.code, asked.data['token']]).toEqual([1007, undefined]);
  expect((await login(user, { googleCode: '123456' })).code).toBe(1007);
  expect((await login(user, { passkey: passkey.sign(options(asked)) })).code).toBe(200);
});

test('a decision needs a passkey that has signed exactly this decision, and the audit keeps the proof', async () => {
  const { user, session, passkey } = await userWithPasskey();
  const path = '/v1.0/todo/decide';
  const input = { id: await request(), approve: true };
  // The second-level password is neither enough nor needed any more.
  expect((await post(app, path, input, session)).code).toBe(1026);
  const { token } = session;
  const signed = passkeyHeader(passkey.sign(await toSign(session, path, input)));
  expect(await post(app, path, input, { token, ...signed })).toMatchObject({
    code: 200,
    data: { status: 'approved' },
  });
  expect((await post(app, path, input, { token, ...signed })).code).toBe(1008);

  const [proof] = await node.platform.db.query<{ after: Record<string, unknown> }>(sql`
    select after from audit_log where action = 'passkey.stepUp' and user_id = ${user.id}`);
  const { nonce, clientDataJSON, authenticatorData, signature, ...statement } = proof!.after;
  const payload = { currency: 'INR', bucket: 'available' };
  expect(statement).toMatchObject({
    user: String(user.id),
    call: path,
    input,
    about: { kind: 'topUp', payload },
  });
  const bytes = (name: unknown) => Buffer.from(name as string, 'base64url');
  const challenge = challengeFor(statement as unknown as Parameters<typeof challengeFor>[0], nonce as string);
  expect(JSON.parse(bytes(clientDataJSON).toString())).toMatchObject({
    challenge: challenge.toString('base64url'),
  });
  const said = Buffer.concat([
    bytes(authenticatorData),
    createHash('sha256').update(bytes(clientDataJSON)).digest(),
  ]);
  expect(verify('sha256', said, passkey.publicKey, bytes(signature))).toBe(true);
});

test('a passkey’s answer for one call opens no other call, input, amount, session or user', async () => {
  const { user, session, passkey } = await userWithPasskey();
  const path = '/v1.0/todo/decide';
  const input = { id: await request(), approve: true };
  const signed = async () => passkeyHeader(passkey.sign(await toSign(session, path, input)));
  const tried = async (of: Session, what: object, to = path) =>
    (await post(app, to, what, { ...of, ...(await signed()) })).code;
  expect(await tried(session, { ...input, id: await request() })).toBe(1008);
  expect(await tried(session, { ...input, approve: false })).toBe(1008);
  const fund = {
    currency: 'INR',
    reason: 'x',
    ownerKind: 'merchant',
    ownerId: String(merchantId),
    amount: 5,
  };
  expect(await tried(session, fund, '/v1.0/fundRecord/topUp')).toBe(1008);
  expect(await tried(await signedIn(node.platform, user), input)).toBe(1008);
  const other = await userWithPasskey();
  expect(await tried(other.session, input)).toBe(1008);
  // The request was changed after it was signed.
  const early = await signed();
  await node.owner.query(sql`
    update approvals set payload = jsonb_set(payload, '{amount}', '99999999') where id = ${BigInt(input.id)}`);
  expect((await post(app, path, input, { ...session, ...early })).code).toBe(1008);
  for (const passkeyText of ['x', Buffer.from('{}').toString('base64url')])
    expect((await post(app, path, input, { ...session, passkey: passkeyText })).code).toBe(1008);
});

test('a user without a passkey uses the second-level password; a call that needs none offers nothing to sign', async () => {
  const session = await signedIn(node.platform, await createTestUser(node.platform, 'admin'));
  const path = '/v1.0/todo/decide';
  const input = { id: await request(), approve: true };
  expect((await post(app, path, input, { token: session.token })).code).toBe(1024);
  expect((await post(app, '/v1.0/passkey/beginStepUp', { call: path, input }, session)).code).toBe(409);
  const { session: having } = await userWithPasskey();
  const other = { call: '/v1.0/order/getList', input: {} };
  expect((await post(app, '/v1.0/passkey/beginStepUp', other, having)).code).toBe(404);
  expect((await post(app, path, input, session)).code).toBe(200);
});

test('a session that shows the console as another cannot use the other’s passkeys', async () => {
  const { user } = await userWithPasskey('customerService');
  const boss = await signedIn(node.platform, await createTestUser(node.platform, 'superAdmin'));
  const as = { role: 'customerService', account: user.account, reason: 'a question of theirs' };
  const seen = await post(app, '/v1.0/user/seeAs', as, boss);
  const input = { call: '/v1.0/order/reject', input: { orderCode: '1' } };
  const asked = await post(app, '/v1.0/passkey/beginStepUp', input, { token: seen.data['token'] as string });
  expect([seen.code, asked.code, options(asked)]).toEqual([200, 403, undefined]);
});

test('adding and removing a passkey needs an existing one, and the user is notified of each', async () => {
  const { user, session, passkey } = await userWithPasskey();
  const second = softwarePasskey();
  expect((await post(app, '/v1.0/passkey/begin', {}, session)).code).toBe(1026);
  const begin = passkeyHeader(passkey.sign(await toSign(session, '/v1.0/passkey/begin', {})));
  expect((await add(session, second, begin)).code).toBe(200);
  const listed = await call(app, 'GET', '/v1.0/passkey/getList', {}, session);
  const [first] = listed.data['list'] as { readonly id: string }[];
  expect(listed.data).toMatchObject({
    host: 'console.example.com',
    list: [{ name: 'phone' }, { name: 'phone' }],
  });

  const remove = '/v1.0/passkey/remove';
  expect((await post(app, remove, { id: first!.id }, session)).code).toBe(1026);
  const by = passkeyHeader(second.sign(await toSign(session, remove, { id: first!.id })));
  expect((await post(app, remove, { id: first!.id }, { ...session, ...by })).code).toBe(200);
  expect((await login(user, { passkey: passkey.sign(options(await login(user))) })).code).toBe(1008);
  const told = await node.platform.db.query(sql`
    select kind from inbox_messages where user_id = ${user.id} order by id`);
  expect(told).toEqual([{ kind: 'passkeyAdded' }, { kind: 'passkeyAdded' }, { kind: 'passkeyRemoved' }]);
  // Another user's passkey is not found.
  const other = await userWithPasskey();
  const mine = passkeyHeader(other.passkey.sign(await toSign(other.session, remove, { id: first!.id })));
  expect((await post(app, remove, { id: first!.id }, { ...other.session, ...mine })).code).toBe(404);
});

test('a passkey made in another session, or for no challenge, is not stored', async () => {
  const user = await createTestUser(node.platform, 'admin');
  const [one, other] = [await signedIn(node.platform, user), await signedIn(node.platform, user)];
  const begun = await post(app, '/v1.0/passkey/begin', {}, one);
  const made = { name: 'key', passkey: softwarePasskey().make(options(begun)) };
  expect((await post(app, '/v1.0/passkey/add', made, other)).code).toBe(1008);
  // A challenge for signing a call makes no passkey.
  const { session } = await userWithPasskey();
  const toDecide = await toSign(session, '/v1.0/todo/decide', { id: '1', approve: true });
  const stolen = { name: 'key', passkey: softwarePasskey().make(toDecide) };
  expect((await post(app, '/v1.0/passkey/add', stolen, session)).code).toBe(1008);
  expect((await post(app, '/v1.0/passkey/begin', {}, { token: one.token })).code).toBe(1024);
});

test('two admins together remove lost sign-in factors, passkeys too', async () => {
  const { user, passkey } = await userWithPasskey('customerService');
  const [asks, agrees] = [
    await createTestUser(node.platform, 'admin'),
    await createTestUser(node.platform, 'admin'),
  ];
  const asked = await post(
    app,
    '/v1.0/user/unbind',
    { userAccount: user.account },
    await signedIn(node.platform, asks),
  );
  expect(asked.code).toBe(1205);
  expect((await login(user)).code).toBe(1007);
  const decision = { id: asked.data['todoId'], approve: true };
  expect((await post(app, '/v1.0/todo/decide', decision, await signedIn(node.platform, agrees))).code).toBe(
    200,
  );
  // The first sign-in binds a new authenticator.
  node.clock.advance(30 * SECOND);
  expect((await login(user)).code).toBe(1006);
  expect((await login(user, { passkey: passkey.sign({ challenge: 'AAAA' }) })).code).toBe(1006);
});

test('ids of 19 digits, in use from July 2027 on, are signed with their facts too', async () => {
  node.clock.set(new Date('2027-08-01T06:00:00Z'));
  const { user, session, passkey } = await userWithPasskey();
  const path = '/v1.0/todo/decide';
  const input = { id: await request(), approve: false };
  expect(input.id).toHaveLength(19);
  const signed = passkeyHeader(passkey.sign(await toSign(session, path, input)));
  expect((await post(app, path, input, { token: session.token, ...signed })).code).toBe(200);
  const [proof] = await node.platform.db.query(sql`
    select after -> 'about' as about from audit_log where action = 'passkey.stepUp' and user_id = ${user.id}`);
  expect(proof).toMatchObject({ about: { kind: 'topUp', payload: { currency: 'INR' } } });
});
