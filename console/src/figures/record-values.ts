import { CURRENCIES, type Currency } from '@sangam/contract/money.ts';
import type { SettingUnit } from '@sangam/contract/settings.ts';
import { units } from 'virtual:setting-units';
import type { NameGroup, Names } from '../language/names.ts';
import { fieldName } from '../language/record-words.ts';
import { moneyText } from './money-text.ts';

/** A setting's value that consists of several numbers. */
export type Parts = Readonly<Record<string, number>>;

export const isParts = (value: unknown): value is Parts =>
  isFields(value) && Object.values(value).every((part) => typeof part === 'number');

export const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Fields of requests and records that are amounts in minor units. */
export const MONEY: ReadonlySet<string> = new Set([
  'amount',
  'sum',
  'fee',
  'creditLimit',
  'before',
  'after',
  'fixedFee',
  'minAmount',
  'maxAmount',
  'dailyAmountLimit',
  'held',
  'balanceAfter',
  'received',
  'payable',
  'supplierCommission',
  'agentCommission',
]);

/** Whether a field's value is an amount. A held amount is a text of digits. */
export const isMoney = (key: string, value: unknown): boolean =>
  MONEY.has(key) && (typeof value === 'number' || (typeof value === 'string' && /^-?\d+$/.test(value)));

/** Fields whose values are keys, and the group that names these keys. */
export const NAMED: Readonly<Record<string, NameGroup>> = {
  userChange: 'userChanges',
  role: 'roles',
  partyRole: 'partyRoles',
  bucket: 'buckets',
  kinds: 'alertKinds',
  ownerKind: 'ownerKinds',
  door: 'ipDoors',
  action: 'actions',
  change: 'requestChanges',
  kind: 'patchKinds',
  status: 'batchStatus',
  bot: 'botScreens.bots',
  balanceMode: 'balanceModes',
};

/** Fields in parts per million. */
export const RATES: ReadonlySet<string> = new Set(['ratePpm']);

/** 15000 parts per million as 1.5%. */
export const percentText = (ppm: number): string => `${ppm / 10_000}%`;

/** A setting's name as on the settings screen; a key that is no setting stays as it is. */
export function settingName(name: Names, key: string): string {
  const label = name('settings', `${key}.label`);
  return label === `${key}.label` ? key : label;
}

/** The setting that a record with `name` and a value is about. */
export function settingOf(name: Names, fields: Readonly<Record<string, unknown>>): string | undefined {
  const { name: key } = fields;
  return typeof key === 'string' && 'value' in fields && settingName(name, key) !== key ? key : undefined;
}

/** The unit of a setting's number, or of one of its parts; undefined for a plain count. */
export function unitOf(setting: string, part?: string): SettingUnit | undefined {
  const unit = units[setting];
  return typeof unit === 'object' ? unit[part ?? ''] : unit;
}

export const isCurrency = (unit: string | undefined): unit is Currency =>
  unit !== undefined && unit in CURRENCIES;

/** The name of a setting's part or option; the bare key where it has no name. */
export function settingWord(name: Names, setting: string, kind: 'parts' | 'options', key: string): string {
  const path = `${setting}.${kind}.${key}`;
  const word = name('settings', path);
  return word === path ? key : word;
}

/** A setting's value as one line, with units. */
export function settingText(name: Names, setting: string, value: unknown): string {
  if (typeof value === 'boolean') return name('flags', String(value));
  if (typeof value === 'number') return numberText(name, value, unitOf(setting));
  if (Array.isArray(value)) return value.join(', ') || '–';
  if (!isParts(value))
    return value === '' || value === null
      ? '–'
      : settingWord(name, setting, 'options', String(value as string));
  return Object.entries(value)
    .map(([part, number]) => {
      const unit = unitOf(setting, part);
      const text = numberText(name, number, unit);
      // A part that is an amount needs no name: the currency symbol shows which it is.
      return unit === part ? text : `${settingWord(name, setting, 'parts', part)} ${text}`;
    })
    .join(' · ');
}

function numberText(name: Names, value: number, unit: SettingUnit | undefined): string {
  if (unit === undefined) return String(value);
  return isCurrency(unit) ? moneyText(value, unit) : `${value} ${name('units', unit)}`;
}

/** The context of a record's values: the currency of its amounts, and the setting whose value it is. */
interface RecordOf {
  readonly currency: Currency | null;
  readonly setting: string | undefined;
}

/** Columns that are amounts in minor units, beside the fields of `MONEY`. A record's field of the same name may be a count. */
const MONEY_COLUMNS: ReadonlySet<string> = new Set([
  'balance',
  'balance_before',
  'grace_amount',
  'merchant_fixed_fee',
  'total',
  'waiting_amount',
]);

/** The text of a database column that is an amount, as money, or in minor units where its currency is not known. Undefined: it is no amount. */
export function columnMoney(
  name: Names,
  column: string,
  text: string,
  currency: Currency | null,
): string | undefined {
  const field = column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  if (!isMoney(MONEY_COLUMNS.has(column) ? 'amount' : field, text)) return undefined;
  return currency === null ? `${text} ${name('units', 'minor')}` : moneyText(Number(text), currency);
}

/** A value of a record as one line: amounts as money, settings with units, keys by their names. */
export function recordText(name: Names, field: string, value: unknown, of: RecordOf): string {
  if (value === undefined || value === null || value === '') return '–';
  if (of.setting !== undefined && (field === 'value' || field === 'before'))
    return settingText(name, of.setting, value);
  if (of.currency !== null && isMoney(field, value)) return moneyText(Number(value), of.currency);
  if (RATES.has(field) && typeof value === 'number') return percentText(value);
  if (Array.isArray(value)) return value.map((each) => recordText(name, field, each, of)).join(', ') || '–';
  if (isFields(value)) return fieldsText(name, value, of);
  if (typeof value === 'boolean') return value ? '✓' : '✗';
  const text = String(value as string | number);
  const group = NAMED[field];
  return group ? name(group, text) : field === 'name' ? settingName(name, text) : text;
}

function fieldsText(name: Names, fields: Readonly<Record<string, unknown>>, of: RecordOf): string {
  const { currency = of.currency } = fields as { readonly currency?: Currency };
  const about = { currency, setting: settingOf(name, fields) };
  return Object.entries(fields)
    .map(([field, value]) => `${fieldName(name, field)}: ${recordText(name, field, value, about)}`)
    .join(' · ');
}
