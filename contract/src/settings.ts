import { z } from 'zod';
import { amountText, CURRENCIES, type Currency } from './money.ts';
import { type Role, STAFF } from './roles.ts';
import { FILINGS } from './statistics.ts';

/**
 * One setting: its schema with range and default, and the range in words that need no translation: the console shows
 * it beside the field, a refusal names it.
 */
export interface Setting<Schema extends z.ZodType = z.ZodType> {
  /** Flags travel as `{enable}`, all others as `{value}`. */
  readonly kind: 'flag' | 'value';
  /** What a caller may send. */
  readonly schema: Schema;
  readonly fallback: z.output<Schema>;
  readonly range: string;
  /** Of a secret: what of it is shown. It is stored sealed, and its fallback is empty. */
  readonly mask?: (secret: string) => string;
  /** Whether going from one value to another weakens a protection: such a change waits for a second person. */
  loosens?(before: z.output<Schema>, after: z.output<Schema>): boolean;
}

const flag = (fallback: boolean): Setting<z.ZodBoolean> => ({
  kind: 'flag',
  schema: z.boolean('true | false'),
  fallback,
  range: 'true | false',
});

/** A flag that protects while it has the value `safe`. */
const protection = (fallback: boolean, safe = true): Setting<z.ZodBoolean> => ({
  ...flag(fallback),
  loosens: (_before, after) => after !== safe,
});

function guarded<Schema extends z.ZodType>(
  setting: Setting<Schema>,
  loosens: (before: z.output<Schema>, after: z.output<Schema>) => boolean,
): Setting<Schema> {
  return { ...setting, loosens };
}

function value<Schema extends z.ZodType>(
  range: string,
  fallback: z.output<Schema>,
  schema: (range: string) => Schema,
): Setting<Schema> {
  return { kind: 'value', schema: schema(range), fallback, range };
}

const int = (fallback: number, min: number, max: number, unit: string) =>
  value(`${min}–${max}${unit}`, fallback, (range) => z.int(range).min(min, range).max(max, range));

const choice = <const Options extends readonly [string, ...string[]]>(
  fallback: Options[number],
  options: Options,
) => value(options.join(' | '), fallback, (range) => z.enum(options, range));

const text = (fallback: string, max: number) =>
  value(`≤ ${max}`, fallback, (range) => z.string(range).max(max, range));

const url = () =>
  value("http(s)://… | ''", '', (range) =>
    z
      .string(range)
      .trim()
      .max(512, range)
      .refine((address) => address === '' || (/^https?:\/\//.test(address) && URL.canParse(address)), range),
  );

/** Stored sealed; people see no more than tells which one it is. */
const secret = (range: string, fits: (value: string) => boolean, mask: (value: string) => string) => ({
  ...value(range, '', () =>
    z
      .string(range)
      .trim()
      .max(512, range)
      .refine((text) => text === '' || fits(text), range),
  ),
  mask,
});

/** `number:letters`, as Telegram gives it; the number is the bot's own, and no secret. */
const botToken = () =>
  guarded(
    secret(
      "123456789:A… | ''",
      (token) => /^\d{5,20}:[\w-]{20,100}$/.test(token),
      (token) => `${token.split(':', 1)[0]}:••••`,
    ),
    () => true,
  );

const countries = (...fallback: string[]) =>
  value('ISO 3166: IN, KE, …', fallback, (range) =>
    z
      .array(z.string(range).regex(/^[A-Z]{2}$/, range), range)
      .min(1, range)
      .max(50, range),
  );

const days = (most: number) =>
  value(`≤ ${most}: YYYY-MM-DD, …`, [] as string[], (range) =>
    z.array(z.iso.date(range), range).max(most, range),
  );

const NOTIFIED: readonly Role[] = [...STAFF, 'supplier'];

/** Of the roles that may be told of new orders. */
const notified = () =>
  value(NOTIFIED.join(', '), [...NOTIFIED], (range) =>
    z.array(z.enum(NOTIFIED as [Role, ...Role[]], range), range).max(NOTIFIED.length, range),
  );

const between = (min: number, max: number, range: string) => z.int(range).min(min, range).max(max, range);

/** The most a sum may be, in minor units. */
const MOST_MINOR = 1e15;

/** What a sum may be, as people read it; it is sent in minor units. */
const sumRange = (currency: Currency) => `${amountText(0, currency)}–${amountText(MOST_MINOR, currency)}`;

const DAY_LIMITED = Object.keys(CURRENCIES) as readonly Currency[];

/** What the daily limits of accounts do, the weakest first. */
const LIMIT_MODES = ['off', 'warn', 'enforce'] as const;

/**
 * The settings that change behaviour today: one table for the server, its endpoints and the console. What each does
 * stands in docs/settings.md. Every setting here is read somewhere. superAdmin writes, technicalMaintenance may read.
 */
export const SETTINGS = {
  enableService: flag(true),
  OrderTimeoutMinutes: int(15, 1, 1440, ' min'),
  CanTimeoutSupplement: flag(true),
  CanClearMerchantBalance: flag(false),
  IsSupplierRemoveBalanceOnOrderFinished: flag(true),
  CompleteCheckOrderTime: int(30, 0, 1440, ' min'),
  // Taken away, money is paid out a day earlier.
  BankHolidays: guarded(days(200), (before, after) => before.some((day) => !after.includes(day))),
  TimeoutCallbackTime: int(0, 0, 86_400, ' s'),
  CallbackType: choice('json', ['json', 'form']),
  NeedNameCheck: protection(false),
  EnablePayPassword: protection(true),
  EnableIpChangedCheck: protection(false),
  KYC: protection(true),
  MonitorLiveTime: guarded(int(90, 10, 3600, ' s'), (before, after) => after > before),
  // Shorter moves more away from what people see.
  DataClearCycle: guarded(
    int(0, 0, 3650, ' d'),
    (before, after) => after !== 0 && (before === 0 || after < before),
  ),
  MessageDelay: int(0, 0, 600, ' s'),
  // On, one supplier's phone reports another's money.
  AllowOneMonitorAccountMoreUser: protection(false, false),
  // On, transfers complete orders with nobody looking.
  UsdtAuto: protection(true, false),
  LimitMode: guarded(
    choice('enforce', LIMIT_MODES),
    (before, after) => LIMIT_MODES.indexOf(after) < LIMIT_MODES.indexOf(before),
  ),
  redWalletCount: int(0, 0, 100, ''),
  CardCountry: countries('IN', 'KE'),
  AutoCreateRelateSupplier: flag(false),
  AutoCreateRelateMerchant: flag(false),
  EnableSystemCheck: protection(true),
  // Which of its numbers protects more depends on the others.
  SecurityFreqParameters: guarded(
    value(
      `sbLeakCheckInterval 1–3600 s, minReliableChainSize 1–50, minReliableCheckSize 1–50, minReliableCheckTimeRange 1–10080 min, minReliableCheckAmount ${sumRange('INR')}`,
      {
        sbLeakCheckInterval: 60,
        minReliableChainSize: 5,
        minReliableCheckSize: 3,
        minReliableCheckTimeRange: 720,
        /** Minor units: 10,000.00. */
        minReliableCheckAmount: 10_000_00,
      },
      (range) =>
        z.strictObject(
          {
            sbLeakCheckInterval: between(1, 3600, range),
            minReliableChainSize: between(1, 50, range),
            minReliableCheckSize: between(1, 50, range),
            minReliableCheckTimeRange: between(1, 10_080, range),
            minReliableCheckAmount: between(0, MOST_MINOR, range),
          },
          range,
        ),
    ),
    () => true,
  ),
  GlobalSecuritySetting: guarded(
    value(
      'lookForwardMinutes 1–1440, perMinuteFreqCount 1–10000, messageMaxCacheTime 60–604800 s, messageInSecurityChainCacheTime 60–2592000 s',
      {
        lookForwardMinutes: 10,
        perMinuteFreqCount: 20,
        messageMaxCacheTime: 3600,
        messageInSecurityChainCacheTime: 86_400,
      },
      (range) =>
        z.strictObject(
          {
            lookForwardMinutes: between(1, 1440, range),
            perMinuteFreqCount: between(1, 10_000, range),
            messageMaxCacheTime: between(60, 604_800, range),
            messageInSecurityChainCacheTime: between(60, 2_592_000, range),
          },
          range,
        ),
    ),
    (before, after) =>
      after.lookForwardMinutes < before.lookForwardMinutes ||
      after.perMinuteFreqCount > before.perMinuteFreqCount ||
      after.messageMaxCacheTime > before.messageMaxCacheTime ||
      after.messageInSecurityChainCacheTime > before.messageInSecurityChainCacheTime,
  ),
  UnprovenDayLimit: guarded(
    value(
      DAY_LIMITED.map((currency) => `${currency} ${sumRange(currency)}`).join(', '),
      { INR: 20_000_00, KES: 20_000_00, USDT: 240_000_000 },
      (range) =>
        z.strictObject(
          {
            INR: between(0, MOST_MINOR, range),
            KES: between(0, MOST_MINOR, range),
            USDT: between(0, MOST_MINOR, range),
          },
          range,
        ),
    ),
    (before, after) => after.INR > before.INR || after.KES > before.KES || after.USDT > before.USDT,
  ),
  PersonalRowsPerDay: guarded(int(1000, 0, 10_000, ''), (before, after) => after > before),
  ClaimsGivenBackPerDay: guarded(int(20, 0, 10_000, ''), (before, after) => after > before),
  FixSecurityChainSupplementLimit: guarded(int(3, 0, 100, ''), (before, after) => after > before),
  CompleteTimeFilter: flag(false),
  SupplierUnifyQueryGroup: flag(false),
  ShowUserStatisticInfo: flag(true),
  OrderStatisticsTimeFormat: choice('created', FILINGS),
  HighPerfOrderQuery: flag(true),
  PayoutBatchCalculateAmount: flag(true),
  IsNewPayUrl: flag(true),
  AlipayToAlipayByHandSubmitName: flag(false),
  AllowPictureQueryOrder: flag(false),
  // Payers are sent there to pay.
  ApiUrl: guarded(url(), (before, after) => after !== before),
  BotToken: botToken(),
  TransferBotToken: botToken(),
  BotConstantReminder: flag(false),
  BotAutoSendFundRecord: flag(false),
  NewOrderNotice: notified(),
  SendSmsMessageUrl: secret(
    "http(s)://…{phone}…{text} | ''",
    (template) => /^https?:\/\//.test(template) && URL.canParse(template),
    (template) => `${template.split('?', 1)[0]}${template.includes('?') ? '?••••' : ''}`,
  ),
  ShowLogo: flag(true),
  // Payers read it beside the account to pay: it could name another.
  ContactInfo: guarded(text('', 500), (before, after) => after !== before),
  InvoiceIssuer: text('', 500),
  InvoiceTaxPercent: int(18, 0, 100, ' %'),
  SysFlag: text('main', 32),
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof SETTINGS;
export type SettingValues = {
  readonly [Name in SettingName]: z.output<(typeof SETTINGS)[Name]['schema']>;
};

export const SETTING_NAMES = Object.keys(SETTINGS) as [SettingName, ...SettingName[]];

/** How the console arranges the settings; each stands in one group. */
export const SETTINGS_BY_GROUP = {
  service: ['enableService', 'ApiUrl', 'SysFlag'],
  orders: [
    'OrderTimeoutMinutes',
    'CompleteCheckOrderTime',
    'CanTimeoutSupplement',
    'BankHolidays',
    'TimeoutCallbackTime',
    'CallbackType',
    'IsNewPayUrl',
    'AlipayToAlipayByHandSubmitName',
    'AllowPictureQueryOrder',
    'redWalletCount',
  ],
  payouts: ['PayoutBatchCalculateAmount'],
  evidence: [
    'EnableSystemCheck',
    'SecurityFreqParameters',
    'FixSecurityChainSupplementLimit',
    'MonitorLiveTime',
    'MessageDelay',
    'AllowOneMonitorAccountMoreUser',
    'UsdtAuto',
  ],
  security: [
    'EnablePayPassword',
    'EnableIpChangedCheck',
    'GlobalSecuritySetting',
    'NeedNameCheck',
    'LimitMode',
    'UnprovenDayLimit',
    'ClaimsGivenBackPerDay',
    'PersonalRowsPerDay',
  ],
  parties: [
    'KYC',
    'CardCountry',
    'IsSupplierRemoveBalanceOnOrderFinished',
    'CanClearMerchantBalance',
    'AutoCreateRelateSupplier',
    'AutoCreateRelateMerchant',
    'InvoiceIssuer',
    'InvoiceTaxPercent',
  ],
  lists: [
    'CompleteTimeFilter',
    'SupplierUnifyQueryGroup',
    'ShowUserStatisticInfo',
    'OrderStatisticsTimeFormat',
    'HighPerfOrderQuery',
  ],
  retention: ['DataClearCycle'],
  notices: [
    'BotToken',
    'TransferBotToken',
    'BotConstantReminder',
    'BotAutoSendFundRecord',
    'NewOrderNotice',
    'SendSmsMessageUrl',
  ],
  appearance: ['ShowLogo', 'ContactInfo'],
} as const satisfies Record<string, readonly SettingName[]>;

export type SettingGroup = keyof typeof SETTINGS_BY_GROUP;

export const SETTING_GROUPS = Object.keys(SETTINGS_BY_GROUP) as [SettingGroup, ...SettingGroup[]];

export function groupOf(name: SettingName): SettingGroup {
  const found = SETTING_GROUPS.find((group) =>
    (SETTINGS_BY_GROUP[group] as readonly SettingName[]).includes(name),
  );
  if (!found) throw new Error(`${name} is in no group of settings`);
  return found;
}

/** Whether some change of this setting waits for a second person. */
export function isGuarded(name: SettingName): boolean {
  const { loosens }: Setting = SETTINGS[name];
  return loosens !== undefined;
}
