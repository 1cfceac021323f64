import { expect, test } from 'vitest';
import { bodyOf, fieldsOf, valueText } from './setting.ts';

const flags = { on: 'on', off: 'off' };
const chain = { size: 5, minutes: 720 };

test('a value reads as a line', () => {
  expect([true, 15, '', ['IN', 'KE'], chain].map((value) => valueText(value, flags))).toEqual([
    'on',
    '15',
    '–',
    'IN, KE',
    'size 5 · minutes 720',
  ]);
});

test('sums are read and written in units, other parts say their range', () => {
  const fallback = { minReliableChainSize: 5, minReliableCheckAmount: 1_000_000 };
  expect(valueText(fallback, flags)).toBe('minReliableChainSize 5 · minReliableCheckAmount 10,000.00');
  expect(valueText({ INR: 2_000_000, USDT: 240_000_000 }, flags)).toBe('INR 20,000.00 · USDT 240.00');
  const range = 'minReliableChainSize 1–50, minReliableCheckAmount 0.00–1,000.00';
  expect(fieldsOf({ fallback, range, secret: false }, fallback, 'Label')).toMatchObject([
    { name: 'minReliableChainSize', kind: 'whole', hint: '1–50' },
    {
      name: 'minReliableCheckAmount',
      kind: 'money',
      currency: 'INR',
      hint: '0.00–1,000.00',
      initial: 1_000_000,
    },
  ]);
});

test('each kind of value has its field, and what is typed becomes what the call takes', () => {
  const kindsOf = (fallback: unknown, range = '') =>
    fieldsOf({ fallback, range, secret: false }, fallback, 'Label').map(({ name, kind }) => [name, kind]);
  expect(kindsOf(true)).toEqual([['value', 'flag']]);
  expect(kindsOf(15)).toEqual([['value', 'whole']]);
  expect(kindsOf('json', 'json | form')).toEqual([['value', 'choice']]);
  expect(kindsOf('', "http(s)://… | ''")).toEqual([['value', 'text']]);
  expect(kindsOf(chain)).toEqual([
    ['size', 'whole'],
    ['minutes', 'whole'],
  ]);
  expect(bodyOf({ kind: 'flag', fallback: true }, { value: false })).toEqual({ enable: false });
  expect(bodyOf({ kind: 'value', fallback: '' }, { value: undefined, reason: 'moved' })).toEqual({
    value: '',
    reason: 'moved',
  });
  expect(bodyOf({ kind: 'value', fallback: ['IN'] }, { value: 'IN, KE' })).toEqual({ value: ['IN', 'KE'] });
  expect(bodyOf({ kind: 'value', fallback: chain }, { size: 1, minutes: 2, reason: 'r' })).toEqual({
    value: { size: 1, minutes: 2 },
    reason: 'r',
  });
});
