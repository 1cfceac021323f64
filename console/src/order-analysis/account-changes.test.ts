import { expect, it } from 'vitest';
import { accountsInput, newChange, wrongFields } from './account-changes.ts';

const account = { value: '71', label: 'SBIN **** 1234', currency: 'INR' } as const;
const other = (value: string) => ({ ...account, value });

it('sends each account with what is different of it', () => {
  expect(
    accountsInput([
      { ...newChange(1), account, weight: '0' },
      { ...newChange(2), account: other('72'), dailyCountLimit: '1,500' },
      { ...newChange(6), account: other('76'), dailyAmountLimit: '2,50,000.5' },
      { ...newChange(3), account: other('73'), closed: true, weight: '5' },
      // Nothing is different, or no account is chosen.
      { ...newChange(4), account: other('74') },
      newChange(5),
    ]),
  ).toEqual([
    { resourceId: '71', weight: 0 },
    { resourceId: '72', dailyCountLimit: 1_500 },
    { resourceId: '76', dailyAmountLimit: 250_000_50 },
    { resourceId: '73', closed: true },
  ]);
});

it('an empty weight does not close an account', () => {
  expect(accountsInput([{ ...newChange(1), account }])).toEqual([]);
});

it('names the fields that must be corrected', () => {
  expect(wrongFields({ ...newChange(1), closed: true })).toEqual(['account']);
  expect(wrongFields({ ...newChange(1), account, weight: '1001', dailyCountLimit: '-1' })).toEqual([
    'weight',
    'dailyCountLimit',
  ]);
  expect(wrongFields(newChange(1))).toEqual([]);
  // An account with nothing different would be left out without a word.
  expect(wrongFields({ ...newChange(1), account })).toEqual([
    'weight',
    'dailyCountLimit',
    'dailyAmountLimit',
  ]);
  expect(wrongFields({ ...newChange(1), account, dailyAmountLimit: '1.005' })).toEqual(['dailyAmountLimit']);
  expect(wrongFields({ ...newChange(1), account, closed: true, weight: 'x' })).toEqual([]);
});
