import { expect, it } from 'vitest';
import { accountsInput, newChange, wrongFields } from './account-changes.ts';

const account = { value: '71', label: 'SBIN **** 1234' };

it('sends each account with what is different of it', () => {
  expect(
    accountsInput([
      { ...newChange(1), account, weight: '0' },
      { ...newChange(2), account: { value: '72', label: '' }, dailyCountLimit: '1,500' },
      { ...newChange(3), account: { value: '73', label: '' }, closed: true, weight: '5' },
      // Nothing is different, or no account is chosen.
      { ...newChange(4), account: { value: '74', label: '' } },
      newChange(5),
    ]),
  ).toEqual([
    { resourceId: '71', weight: 0 },
    { resourceId: '72', dailyCountLimit: 1_500 },
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
  expect(wrongFields({ ...newChange(1), account })).toEqual(['weight', 'dailyCountLimit']);
  expect(wrongFields({ ...newChange(1), account, closed: true, weight: 'x' })).toEqual([]);
});
