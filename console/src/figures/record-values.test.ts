import { setUserProduct } from '@sangam/contract/endpoints/terms.ts';
import { minor } from '@sangam/contract/fields.ts';
import { SETTINGS, SETTING_NAMES } from '@sangam/contract/settings.ts';
import { z } from 'zod';
import { expect, it } from 'vitest';
import texts from '../locales/en-US.json' with { type: 'json' };
import { MONEY, percentText, RATES, recordText, settingName, settingText } from './record-values.ts';

const words: Readonly<Record<string, string>> = {
  'units.min': '分钟',
  'units.s': '秒',
  'flags.true': '开启',
  'settings.OrderTimeoutMinutes.label': '订单超时',
  'settings.ApiUrl.label': 'API address',
  'settings.LimitMode.options.warn': '警告',
  'settings.SecurityFreqParameters.parts.minReliableCheckAmount': '受检金额',
};
const name = (group: string, key: string | number) => words[`${group}.${key}`] ?? String(key);

it('shows every amount of a rate request as money, and every other field as what it is', () => {
  const fields = Object.entries(setUserProduct.input.shape);
  const amounts = fields.filter(([, schema]) => isAmount(schema)).map(([field]) => field);
  expect(amounts).toEqual(['fixedFee', 'minAmount', 'maxAmount', 'dailyAmountLimit']);
  expect(fields.map(([field]) => field).filter((field) => MONEY.has(field))).toEqual(amounts);
  expect(fields.map(([field]) => field).filter((field) => RATES.has(field))).toEqual(['ratePpm']);
});

/** A minimum or a default makes another schema object of an amount, but with the same description. */
function isAmount(schema: unknown): boolean {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) return isAmount(schema.unwrap());
  return schema instanceof z.ZodType && schema.description === minor.description;
}

it('writes parts per million as a percentage', () => {
  expect([0, 15_000, 12_345, 1_000_000].map(percentText)).toEqual(['0%', '1.5%', '1.2345%', '100%']);
});

it('writes a setting with the units of the table of settings', () => {
  expect(settingText(name, 'OrderTimeoutMinutes', 15)).toBe('15 分钟');
  expect(settingText(name, 'MonitorLiveTime', 90)).toBe('90 秒');
  expect(settingText(name, 'redWalletCount', 3)).toBe('3');
  expect(settingText(name, 'KYC', true)).toBe('开启');
  expect(settingText(name, 'LimitMode', 'warn')).toBe('警告');
  expect(settingText(name, 'ApiUrl', '')).toBe('–');
  expect(settingText(name, 'CardCountry', ['IN', 'KE'])).toBe('IN, KE');
  expect(settingText(name, 'UnprovenDayLimit', { INR: 20_000_00, KES: 5_00, USDT: 240_000_000 })).toBe(
    '₹20,000.00 · KSh 5.00 · ₮ 240.00',
  );
  expect(
    settingText(name, 'SecurityFreqParameters', {
      minReliableChainSize: 5,
      minReliableCheckAmount: 10_000_00,
    }),
  ).toBe('minReliableChainSize 5 · 受检金额 ₹10,000.00');
  expect(settingName(name, 'ApiUrl')).toBe('API address');
  expect(settingName(name, 'ICICI CIB')).toBe('ICICI CIB');
});

it('has a name for each part and each choice of every setting', () => {
  const nameless = SETTING_NAMES.flatMap((setting) => {
    const { fallback, range } = SETTINGS[setting];
    const { parts = {}, options = {} } = texts.settings[setting] as { parts?: object; options?: object };
    const isParts = typeof fallback === 'object' && !Array.isArray(fallback);
    // A part named after a currency is an amount in that currency and needs no unit.
    const named = Object.keys(isParts ? fallback : {}).filter(
      (part) => !['INR', 'KES', 'USDT'].includes(part),
    );
    const chosen =
      / \| /.test(range) && typeof fallback === 'string' && fallback !== '' ? range.split(' | ') : [];
    return [...named.filter((part) => !(part in parts)), ...chosen.filter((option) => !(option in options))];
  });
  expect(nameless).toEqual([]);
});

it('a record shows its sums as money, its rates as percentages and its settings in their units', () => {
  const rupees = { currency: 'INR', setting: undefined } as const;
  expect(recordText(name, 'maxAmount', 100_000_00, rupees)).toBe('₹1,00,000.00');
  expect(recordText(name, 'amount', '-50000', rupees)).toBe('−₹500.00');
  expect(recordText(name, 'dailyCountLimit', 50, rupees)).toBe('50');
  expect(recordText(name, 'ratePpm', 15_000, rupees)).toBe('1.5%');
  expect(recordText(name, 'amount', 500, { ...rupees, currency: null })).toBe('500');
  expect(recordText(name, 'value', 15, { currency: null, setting: 'OrderTimeoutMinutes' })).toBe('15 分钟');
  expect(recordText(name, 'payload', { name: 'OrderTimeoutMinutes', before: 15, value: 20 }, rupees)).toBe(
    'name: 订单超时 · before: 15 分钟 · value: 20 分钟',
  );
  expect(recordText(name, 'payload', { currency: 'USDT', amount: 1_500_000 }, rupees)).toBe(
    'currency: USDT · amount: ₮ 1.50',
  );
  expect(
    [undefined, null, '', false, 0, 'x', []].map((value) => recordText(name, 'x', value, rupees)),
  ).toEqual(['–', '–', '–', '✗', '0', 'x', '–']);
});
