import { z } from 'zod';
import { amountText, CURRENCIES, type Currency } from './money.ts';
import { type Role, STAFF } from './roles.ts';
import { FILINGS } from './statistics.ts';

/** The unit of a number. The range names it, and the console shows it after the number. A sum is in minor units of its currency. */
export type SettingUnit = 'min' | 's' | 'd' | '%' | Currency;

/**
 * One setting: its schema with range and default, and the range in words that need no translation. The console shows the range
 * beside the field, and a refusal names it.
 */
export interface Setting<Schema extends z.ZodType = z.ZodType> {
  /** A flag is sent as `{enable}`, every other setting as `{value}`. */
  readonly kind: 'flag' | 'value';
  /** What a caller may send. */
  readonly schema: Schema;
  readonly fallback: z.output<Schema>;
  readonly range: string;
  /** The unit of its number, or of each of its numbers that has one. */
  readonly units?: SettingUnit | Readonly<Record<string, SettingUnit>>;
  /** For a secret: the part that is shown. A secret is stored sealed, and its default is empty. */
  readonly mask?: (secret: string) => string;
  /** Whether a change from one value to another weakens a protection: such a change waits for a second person. */
  loosens?(before: z.output<Schema>, after: z.output<Schema>): boolean;
}

const flag = (fallback: boolean): Setting<z.ZodBoolean> => ({
  kind: 'flag',
  schema: z.boolean('true | false'),
  fallback,
  range: 'true | false',
});

/** A flag that protects while its value is `safe`. */
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

const isCurrency = (unit: SettingUnit): unit is Currency => unit in CURRENCIES;

/** The range as people read it; a sum is given in minor units. */
function rangeText(min: number, max: number, unit?: SettingUnit): string {
  if (unit === undefined) return `${min}–${max}`;
  if (isCurrency(unit)) return `${amountText(min, unit)}–${amountText(max, unit)}`;
  return `${min}–${max} ${unit}`;
}

const between = (min: number, max: number, range: string) => z.int(range).min(min, range).max(max, range);

const int = (fallback: number, min: number, max: number, unit?: SettingUnit) => ({
  ...value(rangeText(min, max, unit), fallback, (range) => between(min, max, range)),
  ...(unit !== undefined && { units: unit }),
});

interface Part {
  readonly fallback: number;
  readonly min: number;
  readonly max: number;
  readonly unit?: SettingUnit;
}

const part = (fallback: number, min: number, max: number, unit?: SettingUnit): Part => ({
  fallback,
  min,
  max,
  ...(unit !== undefined && { unit }),
});

/** The largest sum, in minor units. */
const MOST_MINOR = 1e15;

const sum = (fallback: number, currency: Currency): Part => part(fallback, 0, MOST_MINOR, currency);

/** A setting of several numbers. */
function parts<Name extends string>(numbers: Readonly<Record<Name, Part>>) {
  const names = Object.keys(numbers) as Name[];
  const each = <Made>(make: (number: Part, name: Name) => Made) =>
    Object.fromEntries(names.map((name) => [name, make(numbers[name], name)])) as Record<Name, Made>;
  const ranges = each(({ min, max, unit }, name) => `${name} ${rangeText(min, max, unit)}`);
  return {
    ...value<z.ZodType<Record<Name, number>>>(
      Object.values<string>(ranges).join(', '),
      each(({ fallback }) => fallback),
      // One schema for all names: TypeScript cannot infer it while the names are generic.
      (range) =>
        z.strictObject(
          each(({ min, max }) => between(min, max, range)),
          range,
        ) as z.ZodType as z.ZodType<Record<Name, number>>,
    ),
    units: Object.fromEntries(
      names.flatMap((name) => (numbers[name].unit ? [[name, numbers[name].unit]] : [])),
    ),
  };
}

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

/** Stands for the part of a secret that is not shown. */
const UNSHOWN = '••••';

/** A secret: stored sealed. People see only enough to recognise it, and what they see is refused as a value. Empty switches it off. */
const secret = (range: string, fits: (value: string) => boolean, mask: (value: string) => string) => ({
  ...value(range, '', () =>
    z
      .string(range)
      .trim()
      .max(512, range)
      .refine((text) => text === '' || (fits(text) && !text.includes(UNSHOWN)), range),
  ),
  mask,
});

/** `number:letters`, as Telegram issues it. The number is the bot's id and not secret. */
const botToken = () =>
  guarded(
    secret(
      "123456789:A… | ''",
      (token) => /^\d{5,20}:[\w-]{20,100}$/.test(token),
      (token) => `${token.split(':', 1)[0]}:${UNSHOWN}`,
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

/** A choice among the roles that may get notices of new orders. */
const notified = () =>
  value(NOTIFIED.join(', '), [...NOTIFIED], (range) =>
    z.array(z.enum(NOTIFIED as [Role, ...Role[]], range), range).max(NOTIFIED.length, range),
  );

/** What the daily limits of accounts do, weakest first. */
const LIMIT_MODES = ['off', 'warn', 'enforce'] as const;

/**
 * The settings that change behaviour: one table for the server, its endpoints and the console. docs/settings.md says what each
 * does. Every setting is read somewhere. superAdmin writes them, technicalMaintenance may read them.
 */
export const SETTINGS = {
  enableService: flag(true),
  OrderTimeoutMinutes: int(15, 1, 1440, 'min'),
  CanTimeoutSupplement: flag(true),
  CanClearMerchantBalance: flag(false),
  IsSupplierRemoveBalanceOnOrderFinished: flag(true),
  CompleteCheckOrderTime: int(30, 0, 1440, 'min'),
  // Without a holiday, money is paid out a day earlier.
  BankHolidays: guarded(days(200), (before, after) => before.some((day) => !after.includes(day))),
  TimeoutCallbackTime: int(0, 0, 86_400, 's'),
  CallbackType: choice('json', ['json', 'form']),
  NeedNameCheck: protection(false),
  EnablePayPassword: protection(true),
  EnableIpChangedCheck: protection(false),
  KYC: protection(true),
  MonitorLiveTime: guarded(int(90, 10, 3600, 's'), (before, after) => after > before),
  // A shorter cycle takes more out of people's sight.
  DataClearCycle: guarded(
    int(0, 0, 3650, 'd'),
    (before, after) => after !== 0 && (before === 0 || after < before),
  ),
  MessageDelay: int(0, 0, 600, 's'),
  // When on, the phone of one supplier can report another supplier's money.
  AllowOneMonitorAccountMoreUser: protection(false, false),
  // When on, transfers complete orders without a person.
  UsdtAuto: protection(true, false),
  LimitMode: guarded(
    choice('enforce', LIMIT_MODES),
    (before, after) => LIMIT_MODES.indexOf(after) < LIMIT_MODES.indexOf(before),
  ),
  redWalletCount: int(0, 0, 100),
  CardCountry: countries('IN', 'KE'),
  AutoCreateRelateSupplier: flag(false),
  AutoCreateRelateMerchant: flag(false),
  EnableSystemCheck: protection(true),
  // Which value protects more depends on the other numbers.
  SecurityFreqParameters: guarded(
    parts({
      sbLeakCheckInterval: part(60, 1, 3600, 's'),
      minReliableChainSize: part(5, 1, 50),
      minReliableCheckSize: part(3, 1, 50),
      minReliableCheckTimeRange: part(720, 1, 10_080, 'min'),
      // Sent times 100, whatever the account's currency.
      minReliableCheckAmount: sum(10_000_00, 'INR'),
    }),
    () => true,
  ),
  GlobalSecuritySetting: guarded(
    parts({
      lookForwardMinutes: part(10, 1, 1440, 'min'),
      perMinuteFreqCount: part(20, 1, 10_000),
      messageMaxCacheTime: part(3600, 60, 604_800, 's'),
      messageInSecurityChainCacheTime: part(86_400, 60, 2_592_000, 's'),
    }),
    (before, after) =>
      after.lookForwardMinutes < before.lookForwardMinutes ||
      after.perMinuteFreqCount > before.perMinuteFreqCount ||
      after.messageMaxCacheTime > before.messageMaxCacheTime ||
      after.messageInSecurityChainCacheTime > before.messageInSecurityChainCacheTime,
  ),
  UnprovenDayLimit: guarded(
    parts({
      INR: sum(20_000_00, 'INR'),
      KES: sum(20_000_00, 'KES'),
      USDT: sum(240_000_000, 'USDT'),
    }),
    (before, after) => after.INR > before.INR || after.KES > before.KES || after.USDT > before.USDT,
  ),
  PersonalRowsPerDay: guarded(int(1000, 0, 10_000), (before, after) => after > before),
  ClaimsGivenBackPerDay: guarded(int(20, 0, 10_000), (before, after) => after > before),
  FixSecurityChainSupplementLimit: guarded(int(3, 0, 100), (before, after) => after > before),
  CompleteTimeFilter: flag(false),
  SupplierUnifyQueryGroup: flag(false),
  ShowUserStatisticInfo: flag(true),
  OrderStatisticsTimeFormat: choice('created', FILINGS),
  HighPerfOrderQuery: flag(true),
  PayoutBatchCalculateAmount: flag(true),
  IsNewPayUrl: flag(true),
  AlipayToAlipayByHandSubmitName: flag(false),
  AllowPictureQueryOrder: flag(false),
  // Payers are sent to this address to pay.
  ApiUrl: guarded(url(), (before, after) => after !== before),
  BotToken: botToken(),
  TransferBotToken: botToken(),
  BotConstantReminder: flag(false),
  BotAutoSendFundRecord: flag(false),
  NewOrderNotice: notified(),
  // Critical alerts go to this address, so it must not become somebody else's.
  SendSmsMessageUrl: guarded(
    secret(
      "http(s)://…{phone}…{text} | ''",
      (template) => /^https?:\/\//.test(template) && URL.canParse(template),
      (template) => `${template.split('?', 1)[0]}${template.includes('?') ? `?${UNSHOWN}` : ''}`,
    ),
    () => true,
  ),
  ShowLogo: flag(true),
  // Payers read it beside the account to pay into, so it could name another account.
  ContactInfo: guarded(text('', 500), (before, after) => after !== before),
  // An issued invoice never changes.
  InvoiceIssuer: guarded(text('', 500), (before, after) => after !== before),
  InvoiceTaxPercent: guarded(int(18, 0, 100, '%'), (before, after) => after !== before),
  SysFlag: text('main', 32),
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof SETTINGS;
export type SettingValues = {
  readonly [Name in SettingName]: z.output<(typeof SETTINGS)[Name]['schema']>;
};

export const SETTING_NAMES = Object.keys(SETTINGS) as [SettingName, ...SettingName[]];

/** How the console groups the settings; each is in one group. */
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
