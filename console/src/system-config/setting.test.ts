import { SETTINGS } from '@sangam/contract/settings.ts';
import { expect, test } from 'vitest';
import { bodyOf, canRevert, fieldsOf } from './setting.ts';

const named = (_: string, key: string | number) => String(key);
const TEXTS = { label: 'Label', switchOff: 'Switch off' };
const chain = { size: 5, minutes: 720 };
const unknown = { name: 'sizes', range: '', secret: false } as never as { readonly name: 'KYC' };

test('numbers are typed in their units, sums in units of their currency, each part with its range', () => {
  const fields = (setting: 'SecurityFreqParameters' | 'OrderTimeoutMinutes' | 'UnprovenDayLimit') => {
    const { fallback, range } = SETTINGS[setting];
    return fieldsOf(named, { name: setting, fallback, range, secret: false }, fallback, TEXTS);
  };
  expect(fields('OrderTimeoutMinutes')).toMatchObject([{ kind: 'whole', unit: 'min', hint: '1–1440' }]);
  expect(fields('SecurityFreqParameters')).toMatchObject([
    { name: 'sbLeakCheckInterval', kind: 'whole', unit: 's', hint: '1–3600' },
    { name: 'minReliableChainSize', kind: 'whole', hint: '1–50' },
    { name: 'minReliableCheckSize', kind: 'whole' },
    { name: 'minReliableCheckTimeRange', kind: 'whole', unit: 'min' },
    { name: 'minReliableCheckAmount', kind: 'money', currency: 'INR', initial: 10_000_00 },
  ]);
  expect(fields('UnprovenDayLimit')).toMatchObject([
    { kind: 'money', currency: 'INR' },
    { kind: 'money', currency: 'KES' },
    { kind: 'money', currency: 'USDT' },
  ]);
});

test('each kind of value has its field, and what is typed becomes what the call takes', () => {
  const kindsOf = (fallback: unknown, range = '') =>
    fieldsOf(named, { ...unknown, fallback, range, secret: false }, fallback, TEXTS).map(({ name, kind }) => [
      name,
      kind,
    ]);
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

test('a secret is never emptied by the way: its field is required, it is switched off by a choice, and has no former value', () => {
  const { fallback, range, kind } = SETTINGS.BotToken;
  const setting = { name: 'BotToken', fallback, range, secret: true } as const;
  const [token, off, ...others] = fieldsOf(named, setting, '123456:••••', TEXTS);
  expect(token).toMatchObject({ name: 'value', required: true, initial: '', hint: '123456789:A…' });
  expect(off).toMatchObject({ name: 'off', kind: 'flag', label: 'Switch off' });
  expect(others).toEqual([]);
  expect(token!.when?.({ off: true })).toBe(false);
  expect(token!.when?.({ off: false })).toBe(true);
  expect(bodyOf({ kind, fallback }, { off: true, reason: 'the bot retires' })).toEqual({
    value: '',
    reason: 'the bot retires',
  });
  expect(fieldsOf(named, setting, '', TEXTS)).toHaveLength(1);
  expect(canRevert({ secret: true, value: '123456:••••' }, '654321:••••')).toBe(false);
  expect(canRevert({ secret: false, value: 20 }, 15)).toBe(true);
  expect(canRevert({ secret: false, value: 20 }, 20)).toBe(false);
});
