import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildApp } from '../api/app.ts';
import { ROUTES } from '../app/routes.ts';
import { createTestUser, signedIn } from '../testing/people.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';

let node: TestPlatform;
beforeAll(async () => {
  node = await createTestPlatform();
});
afterAll(() => node.close());

/** The lines that a node with this setting logs while it answers requests. */
async function logged(accessLog: boolean, token: string): Promise<Record<string, unknown>[]> {
  const lines: Record<string, unknown>[] = [];
  const log = pino(
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
        done();
      },
    }),
  );
  const { platform } = node;
  const app = await buildApp({ ...platform, log, config: { ...platform.config, accessLog } }, ROUTES);
  const headers = { token, 'x-forwarded-for': '198.51.100.7' };
  await app.inject({ method: 'POST', url: '/v1.0/user/getInfo?name=secretname', headers, payload: {} });
  await app.inject({
    method: 'POST',
    url: '/v1.0/user/login',
    headers: { 'x-forwarded-for': '198.51.100.7' },
    payload: { userName: 'nobody', password: 'secretpassword' },
  });
  await app.inject({ method: 'GET', url: '/pay/secretpath' });
  await app.inject({ method: 'GET', url: '/nothing/secretpath' });
  await app.close();
  return lines;
}

test('one line a request: the pattern of its route, how it ended and for whom; no secret, body or query', async () => {
  const user = await createTestUser(node.platform, 'admin');
  const { token } = await signedIn(node.platform, user);
  const lines = (await logged(true, token)).filter(({ msg }) => msg === 'request');
  expect(lines).toMatchObject([
    {
      method: 'POST',
      route: '/v1.0/user/getInfo',
      status: 200,
      caller: `user:${user.id}`,
      ip: '198.51.100.7',
    },
    { method: 'POST', route: '/v1.0/user/login', status: 401, caller: null, ip: '198.51.100.7' },
    { method: 'GET', route: '/pay/:token' },
    { method: 'GET', route: null, status: 404 },
  ]);
  for (const line of lines)
    expect(line).toMatchObject({ request: expect.any(String), ms: expect.any(Number) });
  expect(JSON.stringify(lines)).not.toMatch(new RegExp(`secret|${token}`));
  expect((await logged(false, token)).filter(({ msg }) => msg === 'request')).toEqual([]);
});

test.each([true, false])(
  'a refused sign-in has a line, with names that nobody has too (ACCESS_LOG %s)',
  async (accessLog) => {
    const lines = await logged(accessLog, '');
    expect(lines.filter(({ msg }) => msg === 'sign-in refused')).toMatchObject([
      // Two counts: of the account from all addresses, and of the account from this address.
      { account: 'all:nobody', ip: '198.51.100.7', refusal: 'wrongPassword' },
      { account: 'nobody', ip: '198.51.100.7', refusal: 'wrongPassword' },
    ]);
    expect(JSON.stringify(lines)).not.toContain('secretpassword');
  },
);
