import { setUserProduct } from '@sangam/contract/endpoints/terms.ts';
import { minor } from '@sangam/contract/fields.ts';
import { z } from 'zod';
import { expect, it } from 'vitest';
import texts from '../locales/en-US.json' with { type: 'json' };
import { MONEY, percentText, RATES, ruleWords, settingName } from './request-fields.ts';

const fields = Object.entries(setUserProduct.input.shape);

it('shows every amount of a rate request as money, and every other field as what it is', () => {
  const amounts = fields.filter(([, schema]) => isAmount(schema)).map(([name]) => name);
  expect(amounts).toEqual(['fixedFee', 'minAmount', 'maxAmount', 'dailyAmountLimit']);
  expect(fields.map(([name]) => name).filter((name) => MONEY.has(name))).toEqual(amounts);
  expect(fields.map(([name]) => name).filter((name) => RATES.has(name))).toEqual(['ratePpm']);
});

it('has a name for every field of a rate request', () => {
  const nameless = fields.map(([name]) => name).filter((name) => !(name in texts.approvalFields));
  expect(nameless).toEqual([]);
});

it('writes parts per million as a percentage', () => {
  expect([0, 15_000, 12_345, 1_000_000].map(percentText)).toEqual(['0%', '1.5%', '1.2345%', '100%']);
});

/** A bound or a default makes another schema of it, with the same description. */
function isAmount(schema: unknown): boolean {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) return isAmount(schema.unwrap());
  return schema instanceof z.ZodType && schema.description === minor.description;
}

it('writes an address rule and a setting in the reader’s words', () => {
  const words: Readonly<Record<string, string>> = {
    merchantApi: 'Merchant API',
    anyone: 'Anyone',
    allow: 'Allow',
    'ApiUrl.label': 'API address',
  };
  const name = (_: string, key: string) => words[key] ?? key;
  expect(ruleWords(name, 'merchantApi anyone allow 10.0.0.0/8')).toBe('Merchant API Anyone Allow 10.0.0.0/8');
  expect(ruleWords(name, 'console merchant:7 deny 10.0.0.1 until 2026-12-01T00:00:00.000Z')).toBe(
    'console merchant:7 deny 10.0.0.1 → 2026-12-01T00:00:00.000Z',
  );
  expect(settingName(name, 'ApiUrl')).toBe('API address');
  expect(settingName(name, 'ICICI CIB')).toBe('ICICI CIB');
});
