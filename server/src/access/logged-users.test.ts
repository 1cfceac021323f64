import * as user from '@sangam/contract/endpoints/user.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../platform/db/database.ts';
import { call } from '../testing/call.ts';
import { createTestUser, signedIn, type TestUser } from '../testing/people.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';

let node: TestPlatform;
let app: FastifyInstance;
let boss: TestUser;
beforeAll(async () => {
  node = await createTestPlatform();
  app = await node.app();
  boss = await createTestUser(node.platform, 'superAdmin');
});
afterAll(() => node.close());

interface Row {
  readonly account: string;
  readonly userId: string;
  readonly current: boolean;
}

test('superAdmin sees who is signed in, ends all sessions of a user, then all sessions except its own', async () => {
  await node.platform.settings.write('EnablePayPassword', false, null);
  const [ravi, meera] = [
    await createTestUser(node.platform, 'customerService'),
    await createTestUser(node.platform, 'merchant'),
  ];
  const [own, one, two, three] = [
    await signedIn(node.platform, boss),
    await signedIn(node.platform, ravi),
    await signedIn(node.platform, ravi),
    await signedIn(node.platform, meera),
  ];
  const listed = async () =>
    (await call(app, 'GET', user.getLoggedUsers.path, {}, own)).data['list'] as Row[];
  const works = async (headers: Record<string, string>) =>
    (await call(app, 'POST', user.getInfo.path, {}, headers)).code === 200;
  const rows = await listed();
  expect(rows.map(({ account, current }) => [account, current])).toEqual([
    [meera.account, false],
    [ravi.account, false],
    [ravi.account, false],
    [boss.account, true],
  ]);

  // Nobody ends a session of others without saying why.
  expect((await call(app, 'POST', user.endSessions.path, {}, own)).code).toBe(400);
  const { userId } = rows.find(({ account }) => account === ravi.account)!;
  expect(
    (await call(app, 'POST', user.endSessions.path, { userId, reason: 'left the firm' }, own)).data,
  ).toEqual({ ended: 2 });
  expect([await works(one), await works(two), await works(three)]).toEqual([false, false, true]);
  expect((await call(app, 'POST', user.endSessions.path, { reason: 'leak' }, own)).data).toEqual({
    ended: 1,
  });
  expect([await works(three), await works(own)]).toEqual([false, true]);
  expect(
    await node.platform.db.query(
      sql`select subject, reason from audit_log where action = 'user.endSessions' order by id`,
    ),
  ).toEqual([
    { subject: `user:${userId}`, reason: 'left the firm' },
    { subject: 'user:all', reason: 'leak' },
  ]);
});
