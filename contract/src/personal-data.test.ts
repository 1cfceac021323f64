import { expect, test } from 'vitest';
import { getPictures, revealPerson } from './endpoints/order.ts';
import { getSlips } from './endpoints/payout.ts';
import { REVEALERS, SEES_WHOLE } from './personal-data.ts';

/*
 * Written here a second time, so that no role gets to see more personal data unnoticed. The server's tests check that each
 * place follows the table (orders/personal-data.test.ts, api/personal-data.test.ts).
 */

test('exactly these roles see personal data whole', () => {
  const desk = ['admin', 'customerService', 'superAdmin'];
  expect(
    Object.fromEntries(
      Object.entries(SEES_WHOLE).map(([data, roles]) => [data, roles.toSorted((a, b) => (a < b ? -1 : 1))]),
    ),
  ).toEqual({
    payerName: desk,
    payee: desk,
    paymentPicture: ['admin', 'customerService', 'merchant', 'superAdmin', 'supplier'],
    payoutSlip: desk,
    text: ['superAdmin'],
    scriptCall: ['superAdmin'],
    record: ['superAdmin'],
  });
  expect(getPictures.access).toBe(SEES_WHOLE.paymentPicture);
  expect(getSlips.access).toBe(SEES_WHOLE.payoutSlip);
});

test('exactly these roles may reveal one masked value, for a reason', () => {
  expect(REVEALERS).toEqual(['technicalMaintenance', 'merchant']);
  expect(revealPerson.access).toBe(REVEALERS);
  const one = { orderCode: '1', field: 'userName' };
  for (const input of [one, { ...one, reason: '' }, { ...one, reason: ' ' }])
    expect(revealPerson.input.safeParse(input).error?.issues[0]?.path).toEqual(['reason']);
  expect(revealPerson.input.safeParse({ ...one, reason: 'payee asks' }).success).toBe(true);
});
