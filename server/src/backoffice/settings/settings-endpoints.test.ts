import { SETTINGS, SETTING_NAMES, type SettingName } from '@sangam/contract/settings.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { plainOf } from '../../platform/settings/secret.ts';
import { call } from '../../testing/call.ts';
import { type TestUser, createTestUser, signedIn } from '../../testing/people.ts';
import { type TestPlatform, createTestPlatform } from '../../testing/platform.ts';

let node: TestPlatform;
let app: FastifyInstance;
let boss: TestUser;
let second: TestUser;
beforeAll(async () => {
  node = await createTestPlatform();
  app = await node.app();
  boss = await createTestUser(node.platform, 'superAdmin');
  second = await createTestUser(node.platform, 'admin');
});
afterEach(async () => {
  await node.platform.db.query(sql`delete from settings`);
  await node.platform.settings.refresh();
});
afterAll(() => node.close());

const ask = async (method: 'GET' | 'POST', name: SettingName, body: object = {}, user = boss) =>
  call(app, method, `/v1.0/system-config/${name}`, body, { ...(await signedIn(node.platform, user)) });
const bodyOf = (name: SettingName, value: unknown) =>
  SETTINGS[name].kind === 'flag' ? { enable: value } : { value };
const audited = () =>
  node.platform.db.query(sql`
    select user_id as "userId", before, jsonb_build_object('value', after->'value') as after from audit_log where action = 'setting.change' order by id desc limit 1`);

/** Writes a value. When it weakens a protection, a second person approves. Answers who put the value in force. */
async function write(name: SettingName, value: unknown): Promise<TestUser> {
  const { code, data } = await ask('POST', name, bodyOf(name, value));
  if (code === 200) return boss;
  expect(code).toBe(1205);
  const headers = await signedIn(node.platform, second);
  const decided = await call(
    app,
    'POST',
    '/v1.0/todo/decide',
    { id: data['todoId'], approve: true },
    headers,
  );
  expect(decided.code).toBe(200);
  return second;
}

/** For each setting: a value in its range that is not the default, and values outside. */
const SAMPLES: {
  readonly [Name in SettingName]: {
    readonly other: unknown;
    /** Of a secret. */ readonly shown?: string;
    readonly wrong: readonly unknown[];
  };
} = {
  enableService: { other: false, wrong: ['yes', 1, null] },
  OrderTimeoutMinutes: { other: 20, wrong: [0, 1441, 1.5, '20'] },
  CanTimeoutSupplement: { other: false, wrong: ['false'] },
  IsSupplierRemoveBalanceOnOrderFinished: { other: false, wrong: [1] },
  CanClearMerchantBalance: { other: true, wrong: [1] },
  CompleteCheckOrderTime: { other: 0, wrong: [-1, 1441] },
  BankHolidays: { other: ['2026-11-24'], wrong: [['24.11.2026'], '2026-11-24'] },
  TimeoutCallbackTime: { other: 60, wrong: [-1, 86_401] },
  CallbackType: { other: 'form', wrong: ['query', 'xml'] },
  NeedNameCheck: { other: true, wrong: [0] },
  EnablePayPassword: { other: false, wrong: [0] },
  EnableIpChangedCheck: { other: true, wrong: [1] },
  KYC: { other: false, wrong: ['off'] },
  MonitorLiveTime: { other: 3600, wrong: [9, 3601] },
  MessageDelay: { other: 600, wrong: [-1, 601, 1.5] },
  DataClearCycle: { other: 90, wrong: [-1, 3651, 1.5] },
  AllowOneMonitorAccountMoreUser: { other: true, wrong: [1] },
  CompleteTimeFilter: { other: true, wrong: [1] },
  SupplierUnifyQueryGroup: { other: true, wrong: [1] },
  ShowUserStatisticInfo: { other: false, wrong: [1] },
  OrderStatisticsTimeFormat: { other: 'completed', wrong: ['paid', true] },
  IsNewPayUrl: { other: false, wrong: [1] },
  AllowPictureQueryOrder: { other: true, wrong: [1] },
  AlipayToAlipayByHandSubmitName: { other: true, wrong: [1] },
  UsdtAuto: { other: false, wrong: ['off'] },
  LimitMode: { other: 'warn', wrong: ['on', true] },
  redWalletCount: { other: 100, wrong: [-1, 101] },
  CardCountry: { other: ['KE'], wrong: [[], ['in'], 'IN', ['INDIA']] },
  AutoCreateRelateSupplier: { other: true, wrong: [2] },
  AutoCreateRelateMerchant: { other: true, wrong: [2] },
  EnableSystemCheck: { other: false, wrong: [1] },
  SecurityFreqParameters: {
    other: { ...SETTINGS.SecurityFreqParameters.fallback, minReliableCheckAmount: 0 },
    wrong: [{}, { ...SETTINGS.SecurityFreqParameters.fallback, minReliableCheckSize: 0 }, 5],
  },
  GlobalSecuritySetting: {
    other: { ...SETTINGS.GlobalSecuritySetting.fallback, lookForwardMinutes: 1440 },
    wrong: [{ ...SETTINGS.GlobalSecuritySetting.fallback, perMinuteFreqCount: 0 }, [], null],
  },
  UnprovenDayLimit: {
    other: { INR: 0, KES: 0, USDT: 0 },
    wrong: [{ INR: 1 }, { INR: -1, KES: 0, USDT: 0 }, 5],
  },
  PersonalRowsPerDay: { other: 5, wrong: [-1, 10_001, '5'] },
  ClaimsGivenBackPerDay: { other: 5, wrong: [-1, 10_001, '5'] },
  FixSecurityChainSupplementLimit: { other: 0, wrong: [-1, 101] },
  HighPerfOrderQuery: { other: false, wrong: [2] },
  PayoutBatchCalculateAmount: { other: false, wrong: [2] },
  ApiUrl: { other: 'https://pay.example.com', wrong: ['javascript:alert(1)', 'http://', 5] },
  BotToken: { other: `123456:${'a'.repeat(30)}`, shown: '123456:••••', wrong: ['123456', '••••', 5] },
  TransferBotToken: { other: `654321:${'b'.repeat(30)}`, shown: '654321:••••', wrong: ['x:y', null] },
  BotConstantReminder: { other: true, wrong: [1] },
  BotAutoSendFundRecord: { other: true, wrong: [1] },
  NewOrderNotice: { other: ['admin', 'supplier'], wrong: [['merchant'], 'admin'] },
  SendSmsMessageUrl: {
    other: 'https://sms.example/send?key=hush&to={phone}',
    shown: 'https://sms.example/send?••••',
    wrong: ['ftp://sms.example', 'sms', 5, 'https://sms.example/send?••••'],
  },
  ShowLogo: { other: false, wrong: ['no'] },
  ContactInfo: { other: 'x'.repeat(500), wrong: ['x'.repeat(501)] },
  InvoiceIssuer: { other: 'Sangam Ltd', wrong: ['x'.repeat(501)] },
  InvoiceTaxPercent: { other: 5, wrong: [-1, 101, 1.5] },
  SysFlag: { other: 'north', wrong: ['x'.repeat(33)] },
};

describe.each(SETTING_NAMES)('%s', (name) => {
  test('reads its default, takes a value in range, audits old and new, is the same on another node', async () => {
    const { fallback } = SETTINGS[name];
    expect((await ask('GET', name)).data).toEqual(bodyOf(name, fallback));
    const { other, shown = other } = SAMPLES[name];
    expect(other).not.toEqual(fallback);
    const decider = await write(name, other);
    expect((await ask('GET', name)).data).toEqual(bodyOf(name, shown));
    const inForce = async (platform: Platform) =>
      plainOf(platform, name, (await platform.settings.all())[name]);
    expect(await inForce(node.platform)).toEqual(other);
    expect(await audited()).toEqual([
      { userId: decider.id, before: { value: fallback }, after: { value: shown } },
    ]);
    const elsewhere = node.anotherNode();
    expect(await inForce(elsewhere)).toEqual(other);
    // A sealed value must not be stored anywhere in plain text.
    if (shown !== other) {
      const kept = await node.platform.db.query<{ text: string }>(sql`
        select value::text as text from settings union all select payload::text from approvals union all select result::text from approvals
        union all select before::text || after::text from audit_log`);
      expect(kept.filter(({ text }) => text?.includes(String(other)))).toEqual([]);
    }
  });

  test('outside its range: 400 that names the range, and nothing changes', async () => {
    const { fallback, range } = SETTINGS[name];
    for (const wrong of SAMPLES[name].wrong) {
      const answer = await ask('POST', name, bodyOf(name, wrong));
      expect(answer.code).toBe(400);
      expect(answer.msg).toContain(range);
    }
    expect((await ask('POST', name, {})).code).toBe(400);
    expect((await ask('GET', name)).data).toEqual(bodyOf(name, fallback));
  });
});

test('superAdmin writes, technicalMaintenance reads, nobody else does either', async () => {
  const roles = [
    'admin',
    'customerService',
    'technicalSupport',
    'supplier',
    'merchant',
    'technicalMaintenance',
  ] as const;
  for (const role of roles) {
    const user = await createTestUser(node.platform, role);
    expect((await ask('POST', 'KYC', { enable: false }, user)).code).toBe(403);
    expect((await ask('GET', 'KYC', {}, user)).code).toBe(role === 'technicalMaintenance' ? 200 : 403);
  }
});

test('writing what stands changes and audits nothing', async () => {
  const count = async () =>
    (await node.platform.db.query(sql`select 1 from audit_log where action = 'setting.change'`)).length;
  const before = await count();
  expect((await ask('POST', 'KYC', { enable: true })).code).toBe(200);
  expect(await count()).toBe(before);
});

test('a running node sees another’s write within a second', async () => {
  const other = node.anotherNode();
  expect((await other.settings.all()).SysFlag).toBe('main');
  await ask('POST', 'SysFlag', { value: 'west' });
  await expect
    .poll(async () => (await other.settings.all()).SysFlag, { timeout: 1_500, interval: 50 })
    .toBe('west');
});
