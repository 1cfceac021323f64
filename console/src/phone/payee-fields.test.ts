import { expect, test } from 'vitest';
import { payoutUpiLink } from './payee-fields.ts';

const UPI = {
  orderCode: '7000000000001',
  amount: 1_234_50,
  currency: 'INR',
  userName: 'Asha Rao & Sons',
  vpa: 'asha.rao@okaxis',
} as const;

test('a payout by UPI has a link with payee and exact amount; others have none', () => {
  expect(payoutUpiLink(UPI)).toBe(
    'upi://pay?pa=asha.rao@okaxis&pn=Asha%20Rao%20%26%20Sons&am=1234.50&cu=INR&tn=7000000000001',
  );
  expect(payoutUpiLink({ ...UPI, vpa: null })).toBeUndefined();
});
