import { SETTING_ENDPOINTS } from '@sangam/contract/endpoints/settings.ts';
import * as systemConfig from '@sangam/contract/endpoints/system-config.ts';
import * as todo from '@sangam/contract/endpoints/todo.ts';
import { SETTINGS, type SettingName } from '@sangam/contract/settings.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { sql } from '../../platform/db/database.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { ask, askRefused } from '../../testing/ask.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { makeUser, viewerOf } from '../../testing/world.ts';

let node: TestPlatform;
let boss: Viewer;
let second: Viewer;
beforeAll(async () => {
  node = await createTestPlatform();
  boss = await someone('superAdmin');
  second = await someone('admin');
});
afterEach(async () => {
  await node.platform.db.query(sql`delete from settings`);
  await node.owner.query(sql`delete from approvals`);
  await node.platform.settings.refresh();
});
afterAll(() => node.close());

async function someone(role: 'superAdmin' | 'admin'): Promise<Viewer> {
  const { id, account } = await makeUser(node.platform, { role });
  return { ...viewerOf(node.platform, { role }), userId: id, account };
}

const writeOf = (name: SettingName) => SETTING_ENDPOINTS.find((each) => each.name === name)!.write;
const rowOf = async (name: SettingName) =>
  (await ask(node.platform, boss, systemConfig.getSettings)).list.find((row) => row.name === name)!;
const change = (name: SettingName, body: object) => ask(node.platform, boss, writeOf(name), { ...body });
const asked = async (name: SettingName, body: object): Promise<string> => {
  const refusal = await askRefused(node.platform, boss, writeOf(name), { ...body });
  expect(refusal.code).toBe('approvalNeeded');
  return (refusal.data as { todoId: string }).todoId;
};

test('what weakens a protection waits for a second person, and is in force when that person agrees', async () => {
  const todoId = await asked('KYC', { enable: false, reason: 'migration week' });
  expect(await rowOf('KYC')).toMatchObject({ value: true, pending: { todoId, value: false } });
  const own = await askRefused(node.platform, boss, todo.decide, { id: todoId, approve: true });
  expect(own.code).toBe('forbidden');
  await ask(node.platform, second, todo.decide, { id: todoId, approve: true });
  expect(await rowOf('KYC')).toMatchObject({ value: false, pending: null, changedBy: second.account });
  const { list } = await ask(node.platform, boss, systemConfig.getSettingHistory, { name: 'KYC' });
  expect(list[0]).toMatchObject({
    before: true,
    after: false,
    account: second.account,
    startedBy: boss.account,
    reason: 'migration week',
  });
});

test('the second person reads the reason', async () => {
  const todoId = await asked('KYC', { enable: false, reason: 'migration week' });
  const { list } = await ask(node.platform, second, todo.getMine);
  expect(list.find(({ id }) => id === todoId)).toMatchObject({ reason: 'migration week' });
});

test('what strengthens a protection is in force at once', async () => {
  await node.platform.settings.write('KYC', false, null);
  await change('KYC', { enable: true });
  await change('NeedNameCheck', { enable: true });
  await change('FixSecurityChainSupplementLimit', { value: 0 });
  await node.platform.settings.write('LimitMode', 'warn', null);
  await change('LimitMode', { value: 'enforce' });
  await change('MonitorLiveTime', { value: 60 });
  await change('BankHolidays', { value: ['2026-12-25'] });
  expect(await rowOf('KYC')).toMatchObject({ value: true, pending: null });
});

test('every protection waits when it is weakened', async () => {
  await node.platform.settings.write('NeedNameCheck', true, null);
  await node.platform.settings.write('EnableIpChangedCheck', true, null);
  await node.platform.settings.write('UsdtAuto', false, null);
  await asked('NeedNameCheck', { enable: false });
  await asked('EnableIpChangedCheck', { enable: false });
  await asked('UsdtAuto', { enable: true });
  await asked('EnablePayPassword', { enable: false });
  await asked('EnableSystemCheck', { enable: false });
  await asked('LimitMode', { value: 'warn' });
  await asked('AllowOneMonitorAccountMoreUser', { enable: true });
  await asked('MonitorLiveTime', { value: 91 });
  await node.platform.settings.write('BankHolidays', ['2026-12-25', '2027-01-26'], null);
  await asked('BankHolidays', { value: ['2026-12-25', '2027-01-27'] });
  await asked('FixSecurityChainSupplementLimit', { value: 4 });
  await asked('SendSmsMessageUrl', { value: 'https://sms.example/send' });
  await asked('InvoiceIssuer', { value: 'Sangam Ltd' });
  await asked('InvoiceTaxPercent', { value: 0 });
  await asked('SecurityFreqParameters', {
    value: {
      sbLeakCheckInterval: 60,
      minReliableChainSize: 1,
      minReliableCheckSize: 1,
      minReliableCheckTimeRange: 720,
      minReliableCheckAmount: 10_000_00,
    },
  });
});

test.each([
  ['lookForwardMinutes', -1],
  ['perMinuteFreqCount', 1],
  ['messageMaxCacheTime', 1],
  ['messageInSecurityChainCacheTime', 1],
] as const)('GlobalSecuritySetting: %s changed by %i waits, the other way it does not', async (part, by) => {
  const { fallback } = SETTINGS.GlobalSecuritySetting;
  await asked('GlobalSecuritySetting', { value: { ...fallback, [part]: fallback[part] + by } });
  await change('GlobalSecuritySetting', { value: { ...fallback, [part]: fallback[part] - by } });
});

test('a request about a value that has changed meanwhile is not executed', async () => {
  const todoId = await asked('FixSecurityChainSupplementLimit', { value: 10 });
  await change('FixSecurityChainSupplementLimit', { value: 1 });
  expect((await askRefused(node.platform, second, todo.decide, { id: todoId, approve: true })).code).toBe(
    'conflict',
  );
  await node.platform.settings.refresh();
  expect(await rowOf('FixSecurityChainSupplementLimit')).toMatchObject({ value: 1 });
});
