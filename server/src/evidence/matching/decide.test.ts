import { expect, test } from 'vitest';
import type { WaitingOrder } from '../../collection/waiting.ts';
import type { Credit } from './credit.ts';
import { decide as decideWith } from './decide.ts';

const NOON = new Date('2026-11-16T06:30:00Z');
const minutes = (n: number) => new Date(NOON.getTime() + n * 60_000);

const decide = (credit: Credit, orders: readonly WaitingOrder[], needsName = false) =>
  decideWith(credit, orders, { needsName, now: credit.at });

function order(id: number, fields: Partial<WaitingOrder> = {}): WaitingOrder {
  return {
    orderId: BigInt(id),
    merchantId: 1n,
    productId: 1010,
    accountId: 1n,
    supplierId: 1n,
    currency: 'INR',
    amount: 500_00n,
    payable: 500_00n + BigInt(id),
    identifyCode: `SBCDFGHJ${id}`,
    payerUtr: null,
    userName: null,
    day: '2026-11-16',
    allocatedAt: NOON,
    expiresAt: minutes(15),
    releaseAt: minutes(45),
    timedOut: false,
    held: 0n,
    slot: 0n,
    ...fields,
  };
}

const credit = (fields: Partial<Credit> = {}): Credit => ({
  accountId: 1n,
  amount: 500_02n,
  reference: null,
  payer: null,
  text: '',
  at: minutes(1),
  ...fields,
});

test('evidence is tried in the order of its strength', () => {
  const orders = [order(2), order(3, { payerUtr: '632512345678' }), order(4)];
  const all = credit({ amount: 500_00n, reference: '632512345678', text: 'UPI/SBCDFGHJ4/x' });
  expect(decide(all, orders)).toMatchObject({
    kind: 'match',
    evidence: 'identifyCode',
    order: { orderId: 4n },
  });
  expect(decide({ ...all, text: '' }, orders)).toMatchObject({
    evidence: 'payerUtr',
    order: { orderId: 3n },
  });
  expect(decide(credit(), orders)).toMatchObject({ evidence: 'exactAmount', order: { orderId: 2n } });
});

test('a payer who rounds the floating part away is found by name, when only one fits', () => {
  const named = [order(2, { userName: 'Asha Rao' }), order(3, { userName: 'Vik Shah' })];
  const rounded = credit({ amount: 500_00n, payer: 'ASHA  RAO' });
  expect(decide(rounded, named)).toMatchObject({ evidence: 'amountAndName', order: { orderId: 2n } });
  expect(decide(rounded, [...named, order(4, { userName: 'asha rao' })])).toEqual({
    kind: 'ambiguous',
    reason: 'severalOrders',
  });
  expect(decide({ ...rounded, payer: null }, named)).toEqual({ kind: 'none' });
});

test('a code of a waiting order that the credit cannot pay leaves it to an operator, whatever UTR is typed', () => {
  const typed = order(3, { payerUtr: '632512345678' });
  const named = credit({ amount: 500_00n, reference: '632512345678', text: 'UPI/SBCDFGHJ4/x' });
  const coded = { amount: 900_00n, payable: 900_00n };
  expect(decide(named, [typed, order(4, coded)])).toEqual({ kind: 'ambiguous', reason: 'amountDiffers' });
  const [elsewhere, later] = [order(4, { accountId: 2n }), order(4, { allocatedAt: minutes(5) })];
  for (const other of [elsewhere, later])
    expect(decide(named, [typed, other])).toEqual({ kind: 'ambiguous', reason: 'codeNotOpen' });
});

test('evidence that names an order of another amount is left to an operator', () => {
  expect(decide(credit({ amount: 499_00n, text: 'SBCDFGHJ2' }), [order(2)])).toEqual({
    kind: 'ambiguous',
    reason: 'amountDiffers',
  });
});

test('money moved before the order was made, or after its grace, is not its money', () => {
  expect(decide(credit({ at: minutes(-3) }), [order(2)])).toEqual({ kind: 'none' });
  expect(decide(credit({ at: minutes(-1) }), [order(2)])).toMatchObject({ kind: 'match' });
  expect(decide(credit({ at: minutes(50) }), [order(2)])).toEqual({ kind: 'none' });
});

test("another account's order is never meant", () => {
  expect(decide(credit(), [order(2, { accountId: 2n })])).toEqual({ kind: 'none' });
});

test('where names are checked, the payer must be the one an order expects; orders that expect nobody go on', () => {
  const named = order(2, { userName: 'Asha Rao' });
  expect(decide(credit({ payer: 'asha rao' }), [named], true)).toMatchObject({ kind: 'match' });
  const differs = { kind: 'ambiguous', reason: 'nameDiffers' };
  expect(decide(credit({ payer: 'Vik Shah' }), [named], true)).toEqual(differs);
  expect(decide(credit(), [named], true)).toEqual(differs);
  expect(decide(credit({ payer: 'Vik Shah' }), [named], false)).toMatchObject({ kind: 'match' });
  expect(decide(credit(), [order(2)], true)).toMatchObject({ kind: 'match' });
});

test('a typed transaction id of a blockchain keeps the transfer from no order of its exact amount', () => {
  const reference = 'A1B2C3';
  const transfer = credit({ isExact: true, reference });
  const [right, stranger] = [order(2), order(3, { payerUtr: reference })];
  expect(decide(transfer, [stranger, right])).toMatchObject({ kind: 'match', order: { orderId: 2n } });
  expect(decide(transfer, [stranger])).toEqual({ kind: 'ambiguous', reason: 'amountDiffers' });
  expect(decide(transfer, [order(2, { payerUtr: reference })])).toMatchObject({
    kind: 'match',
    evidence: 'payerUtr',
  });
});

test('somebody who types another payer’s UTR into an order of the same sum does not get the payment', () => {
  const reference = '632512345678';
  const payment = credit({ amount: 500_00n, reference });
  const exact = order(2, { payable: 500_00n });
  const naming = order(3, { payerUtr: reference });
  expect(decide(payment, [exact, naming])).toEqual({ kind: 'ambiguous', reason: 'severalOrders' });
  // A payer who typed another UTR does not wait for this payment.
  const named = { ...exact, payerUtr: '632587654321' };
  expect(decide(payment, [named, naming])).toMatchObject({ kind: 'match', order: { orderId: 3n } });
  // Neither does an order that was not made yet.
  const later = { ...exact, allocatedAt: minutes(10) };
  expect(decide(payment, [later, naming])).toMatchObject({ kind: 'match', order: { orderId: 3n } });
});
