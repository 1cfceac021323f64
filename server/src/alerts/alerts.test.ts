import { ALERT_KINDS, ALERTS } from '@sangam/contract/alerts.ts';
import { LOCALES } from '@sangam/contract/locale.ts';
import { init } from '@sangam/contract/endpoints/message.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { alertName, alertText } from '../inbox/alert-text.ts';
import { sql } from '../platform/db/database.ts';
import { refuse } from '../platform/refusal.ts';
import { ask } from '../testing/ask.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeSupplier, makeUser, viewerOf } from '../testing/world.ts';
import { closeAlert, keepAlerts, raiseAlert, raiseAlertIn } from './raise.ts';

let node: TestPlatform;
beforeAll(async () => {
  node = await createTestPlatform();
});
afterEach(async () => {
  await node.platform.db.query(sql`delete from alert_deliveries`);
  await node.platform.db.query(sql`delete from alerts`);
});
afterAll(() => node.close());

const rows = () =>
  node.platform.db.query<{ kind: string; subject: string; open: boolean; data: object }>(sql`
    select kind, subject, closed_at is null as open, data from alerts order by id`);
const backup = (hours: number) => ({ kind: 'backupOld', subject: 'backup', data: { hours } }) as const;

test('a cause has one alert until it is gone, however often and on however many nodes it is seen', async () => {
  const other = node.anotherNode();
  await Promise.all(
    [1, 2, 3].flatMap(() => [raiseAlert(node.platform, backup(30)), raiseAlert(other, backup(30))]),
  );
  await raiseAlert(other, backup(31));
  expect(await rows()).toEqual([{ kind: 'backupOld', subject: 'backup', open: true, data: { hours: 31 } }]);
  await closeAlert(node.platform, 'backupOld', 'backup');
  await closeAlert(other, 'backupOld', 'backup');
  await raiseAlert(other, backup(30));
  expect((await rows()).map(({ open }) => open)).toEqual([false, true]);
});

test('a rolled-back transaction sends no alert', async () => {
  await node.platform.db.tx(async (tx) => {
    await raiseAlertIn(tx, node.platform, backup(30));
    return refuse('conflict');
  });
  expect(await rows()).toEqual([]);
});

test('keepAlerts opens alerts for present causes, closes the others of the kind and leaves other kinds alone', async () => {
  await raiseAlert(node.platform, backup(30));
  const clock = (name: string) => ({ subject: name, data: { node: name, seconds: 3 } });
  await keepAlerts(node.platform, 'clockSkew', [clock('a'), clock('b')]);
  await keepAlerts(node.platform, 'clockSkew', [clock('b'), clock('c')]);
  expect((await rows()).map(({ subject, open }) => [subject, open])).toEqual([
    ['backup', true],
    ['a', false],
    ['b', true],
    ['c', true],
  ]);
});

test('a critical alert is in the message centre of all who may see it; a party gets the alerts about itself', async () => {
  const { platform } = node;
  const { supplierId, userId } = await makeSupplier(platform);
  const boss = await makeUser(platform, { role: 'superAdmin' });
  await raiseAlert(platform, backup(30));
  const data = { name: 'Phone 7', since: '10:00' };
  await raiseAlert(platform, { kind: 'monitorOffline', subject: '7', data, supplierId });
  const titles = async (role: 'superAdmin' | 'supplier', id: bigint, locale: 'en-US' | 'zh-CN') =>
    (await ask(platform, { ...viewerOf(platform, { role }), userId: id, locale }, init)).unread.map(
      ({ title }) => title,
    );
  expect(await titles('superAdmin', boss.id, 'en-US')).toEqual(['The newest backup is 30 h old']);
  expect(await titles('supplier', userId, 'zh-CN')).toEqual([
    '监控设备 Phone 7 自 10:00 起离线：其账户不再接新订单',
  ]);
});

test('every kind has a name and a text in each language that uses its fields and no others', () => {
  for (const kind of ALERT_KINDS) {
    const data = Object.fromEntries(ALERTS[kind].data.map((field) => [field, `<${field}>`]));
    for (const locale of LOCALES) {
      expect(alertName(kind, locale)).not.toBe('');
      const text = alertText({ kind, subject: '<subject>', data }, locale);
      for (const field of ALERTS[kind].data) expect(text).toContain(`<${field}>`);
      expect(text).not.toMatch(/undefined|\{\{/);
    }
  }
});
