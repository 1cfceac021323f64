import * as audits from '@sangam/contract/endpoints/audit.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit } from '../../platform/audit/record.ts';
import { DAY } from '../../platform/clock.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { ask } from '../../testing/ask.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { makeUser, viewerOf } from '../../testing/world.ts';

let node: TestPlatform;
let boss: Viewer;
beforeAll(async () => {
  node = await createTestPlatform();
  const { id, account } = await makeUser(node.platform, { role: 'superAdmin' });
  boss = { ...viewerOf(node.platform, { role: 'superAdmin' }), userId: id, account };
});
afterAll(() => node.close());

const write = (action: string, subject: string, userId: bigint | null = boss.userId) =>
  node.platform.db.tx((tx) =>
    audit(node.platform, tx, {
      userId,
      action,
      subject,
      before: { a: 1 },
      after: { a: 2 },
      reason: 'because',
      ip: '203.0.113.7',
    }),
  );
const found = async (filters: object) =>
  (await ask(node.platform, boss, audits.getAuditList, { ...filters })).list.map(
    ({ action, subject }) => `${action} ${subject}`,
  );

test('an entry has who, what, of what, before and after, why and from where', async () => {
  await write('bank.addHeader', 'bank:1');
  const { list } = await ask(node.platform, boss, audits.getAuditList, { subject: 'bank:1' });
  expect(list).toMatchObject([
    {
      account: boss.account,
      role: 'superAdmin',
      action: 'bank.addHeader',
      subject: 'bank:1',
      before: { a: 1 },
      after: { a: 2 },
      reason: 'because',
      ip: '203.0.113.7',
    },
  ]);
});

test('it is found by person, action or area, subject and address; of one subject all of its time', async () => {
  await write('probe.one', 'probe:1');
  await write('probe.two', 'probe:2', null);
  await write('probed.one', 'probe:3');
  expect(await found({ action: 'probe' })).toEqual(['probe.two probe:2', 'probe.one probe:1']);
  expect(await found({ action: 'probe.one' })).toEqual(['probe.one probe:1']);
  expect(await found({ action: 'probe', account: boss.account })).toEqual(['probe.one probe:1']);
  expect(await found({ action: 'probe', ip: '203.0.113.8' })).toEqual([]);
  node.clock.advance(40 * DAY);
  expect(await found({ action: 'probe' })).toEqual([]);
  expect(await found({ subject: 'probe:1' })).toEqual(['probe.one probe:1']);
});
