import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE, SECOND } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { type Called, post } from '../testing/call.ts';
import { PASSWORD, type TestUser, createTestUser } from '../testing/people.ts';
import { type TestPlatform, createTestPlatform } from '../testing/platform.ts';
import { codeAt } from './google-code.ts';

let node: TestPlatform;
let app: FastifyInstance;

beforeAll(async () => {
  node = await createTestPlatform();
  app = await node.app();
});
afterAll(() => node.close());

function login(user: { account: string }, password: string, googleCode?: string, on = app): Promise<Called> {
  return post(on, '/v1.0/user/login', {
    userName: user.account,
    password,
    ...(googleCode ? { googleCode } : {}),
  });
}

const codeOf = (user: TestUser) => codeAt(user.googleSecret, node.clock.now());
const auditOf = async (account: string) =>
  (
    await node.platform.db.query<{ action: string }>(
      sql`select action from audit_log where subject = ${`user:${account.toLowerCase()}`} or subject = ${`user:${account}`} order by id`,
    )
  ).map((row) => row.action);

test('password and Google code open a session whose token getInfo takes', async () => {
  const user = await createTestUser(node.platform, 'admin');
  const answer = await login({ account: ` ${user.account.toUpperCase()} ` }, PASSWORD, codeOf(user));
  expect(answer).toMatchObject({ status: 200, code: 200 });
  expect(Object.keys(answer.data)).toEqual(['token']);

  const info = await post(app, '/v1.0/user/getInfo', {}, { token: answer.data['token'] as string });
  expect(info.data).toEqual({
    user_id: String(user.id),
    account: user.account,
    name: `Test ${user.account}`,
    access: 'admin',
    showLogo: true,
    systemFlag: 'main',
    enableGoogleVerify: true,
    confirmBind: true,
    isAgent: false,
    isDemo: false,
    unreadCount: 0,
  });
  expect(await auditOf(user.account)).toEqual(['user.create', 'user.login']);
});

test('tokens are stored as hashes only, passwords as argon2id', async () => {
  const user = await createTestUser(node.platform, 'admin');
  const { data, cookie } = await login(user, PASSWORD, codeOf(user));
  const dump = JSON.stringify(
    (
      await node.platform.db.query<{ row: unknown }>(sql`
        select to_jsonb(s) as row from sessions s union all select to_jsonb(u) from users u
        union all select to_jsonb(a) from audit_log a`)
    ).map(({ row }) => row),
  );
  for (const secret of [data['token'] as string, cookie!, PASSWORD, user.googleSecret]) {
    expect(dump).not.toContain(secret);
    expect(dump).not.toContain(Buffer.from(secret).toString('hex'));
  }
  expect(dump).toContain('$argon2id$v=19$m=19456,t=2,p=1$');
});

test('an unknown account, a deleted one and a wrong password get the same answer', async () => {
  const user = await createTestUser(node.platform, 'admin');
  const gone = await createTestUser(node.platform, 'admin');
  await node.platform.db.query(sql`update users set deleted_at = now() where id = ${gone.id}`);
  const answers = [
    await login({ account: 'nobody' }, PASSWORD, '123456'),
    await login(gone, PASSWORD, codeOf(gone)),
    await login(user, 'wrong', codeOf(user)),
  ];
  for (const answer of answers)
    expect(answer).toMatchObject({ status: 401, code: 1001, body: answers[0]!.body });
});

test('a Google code works once, on whichever node it is used', async () => {
  const user = await createTestUser(node.platform, 'superAdmin');
  const other = await node.app(undefined, node.anotherNode());
  const code = codeOf(user);
  const both = await Promise.all([login(user, PASSWORD, code), login(user, PASSWORD, code, other)]);
  expect(new Set(both.map((answer) => answer.code))).toEqual(new Set([200, 1002]));
  expect((await login(user, PASSWORD, code)).code).toBe(1002);

  node.clock.advance(30 * SECOND);
  expect((await login(user, PASSWORD, codeOf(user), other)).code).toBe(200);
});

test('a code is good one step early or late, and never after a later one was used', async () => {
  const user = await createTestUser(node.platform, 'admin');
  const at = (seconds: number) =>
    codeAt(user.googleSecret, new Date(node.clock.now().getTime() + seconds * SECOND));
  expect((await login(user, PASSWORD, at(60))).code).toBe(1002);
  expect((await login(user, PASSWORD, at(-60))).code).toBe(1002);
  expect((await login(user, PASSWORD, at(-30))).code).toBe(200);
  expect((await login(user, PASSWORD, at(30))).code).toBe(200);
  expect((await login(user, PASSWORD, at(0))).code).toBe(1002);
  expect((await login(user, PASSWORD)).code).toBe(1002);
  expect((await login(user, PASSWORD, '12ab56')).code).toBe(1002);
});

test('without Google verification the password is enough', async () => {
  const user = await createTestUser(node.platform, 'merchant', { enableGoogleVerify: false });
  expect((await login(user, PASSWORD)).code).toBe(200);
});

test('five failures lock the account from that address for 15 minutes, on every node', async () => {
  const user = await createTestUser(node.platform, 'admin');
  const codes: number[] = [];
  for (let failure = 0; failure < 4; failure += 1) codes.push((await login(user, `wrong ${failure}`)).code);
  codes.push((await login(user, PASSWORD, '000000')).code);
  expect(codes).toEqual([1001, 1001, 1001, 1001, 1002]);

  const right = () => login(user, PASSWORD, codeOf(user));
  expect(await right()).toMatchObject({ status: 423, code: 1005 });
  const restarted = await node.app(undefined, node.anotherNode());
  expect((await login(user, PASSWORD, codeOf(user), restarted)).code).toBe(1005);
  expect(await auditOf(user.account)).toContain('user.lockOut');

  const elsewhere = await app.inject({
    method: 'POST',
    url: '/v1.0/user/login',
    headers: { 'x-forwarded-for': '203.0.113.9' },
    payload: { userName: user.account, password: 'wrong' },
  });
  expect(elsewhere.json()).toMatchObject({ code: 1001 });

  node.clock.advance(15 * MINUTE - 1);
  expect((await right()).code).toBe(1005);
  node.clock.advance(1);
  expect((await right()).code).toBe(200);
});

test('failures are forgotten after a success and after 15 minutes', async () => {
  const user = await createTestUser(node.platform, 'admin');
  const fail = async () => (await login(user, 'wrong')).code;
  for (let failure = 0; failure < 4; failure += 1) await fail();
  expect((await login(user, PASSWORD, codeOf(user))).code).toBe(200);
  for (let failure = 0; failure < 4; failure += 1) await fail();
  node.clock.advance(15 * MINUTE);
  expect(await fail()).toBe(1001);
  expect((await login(user, PASSWORD, codeOf(user))).code).toBe(200);
});

test('a burst of guesses cannot pass the lock-out', async () => {
  const user = await createTestUser(node.platform, 'admin');
  const burst = await Promise.all(Array.from({ length: 12 }, (_, guess) => login(user, `guess ${guess}`)));
  const codes = burst.map((answer) => answer.code);
  expect(codes.filter((code) => code === 1001)).toHaveLength(5);
  expect(codes.filter((code) => code === 1005)).toHaveLength(7);
});

test('a flood from one address keeps nobody else from signing in', async () => {
  const user = await createTestUser(node.platform, 'admin');
  const flood = Array.from({ length: 220 }, (_, guess) => loginFrom('198.18.0.9', `nobody${guess}`, 'x'));
  // When the first is answered, all others have arrived.
  await Promise.race(flood);
  expect((await login(user, PASSWORD, codeOf(user))).code).toBe(200);
  const codes = await Promise.all(flood);
  expect(new Set(codes)).toEqual(new Set([1001, 429]));
  // A minute later the used room is free again.
  node.clock.advance(MINUTE);
  expect(await loginFrom('198.18.0.9', 'nobody', 'x')).toBe(1001);
});

test('an account that does not exist is locked like one that does', async () => {
  for (let failure = 0; failure < 5; failure += 1) await login({ account: 'ghost' }, 'wrong');
  expect((await login({ account: 'GHOST' }, 'wrong')).code).toBe(1005);
});

test('five failures lock an account however its name is written', async () => {
  const user = await createTestUser(node.platform, 'admin', { account: 'finiancial1' });
  for (const account of ['finiancial1', 'fİniancial1', 'finİancial1', 'FİNİANCİAL1'])
    for (let failure = 0; failure < 5; failure += 1) await login({ account }, 'wrong');
  expect((await login(user, PASSWORD, codeOf(user))).code).toBe(1005);
  // No account has such a name: only the name itself was tried.
  expect((await login({ account: 'finiancİal1' }, PASSWORD, codeOf(user))).code).toBe(1001);
  expect((await auditOf(user.account)).filter((action) => action === 'user.lockOut')).toHaveLength(1);
});

const loginFrom = async (remoteAddress: string, userName: string, password: string) =>
  (
    await app.inject({
      method: 'POST',
      url: '/v1.0/user/login',
      remoteAddress,
      payload: { userName, password },
    })
  ).json<{ code: number }>().code;

test('the lock-out counts the addresses of a /64 as one', async () => {
  const user = await createTestUser(node.platform, 'admin');
  const codes: number[] = [];
  for (let host = 1; host <= 12; host += 1)
    codes.push(await loginFrom(`2a00:1450:4001:800::${host.toString(16)}`, user.account, 'wrong'));
  expect(codes.filter((code) => code === 1001)).toHaveLength(5);
  expect(await loginFrom('2a00:1450:4001:801::1', user.account, 'wrong')).toBe(1001);
});
