import { expect, test } from 'vitest';
import { pastedMessages, samplesOf, samplesText } from './template-text.ts';

test('samples come back as they were written', () => {
  const samples = [
    { text: 'Rs.5 credited\nto A/c XX12', expected: { amount: '5.00', account: '12' } },
    { text: 'INR 7 | odd', expected: { amount: '7.00', balance: '-1.00', ref: 'N123456' } },
    { text: 'Your OTP is 1234', expected: null },
  ];
  expect(samplesOf(samplesText(samples))).toEqual(samples);
});

test('an empty line separates pasted messages, which may name their sender', () => {
  expect(pastedMessages('VM-HDFCBK-S:\nRs.5 credited\nto A/c\n\n\nRs.6 debited')).toEqual([
    { sender: 'VM-HDFCBK-S', text: 'Rs.5 credited\nto A/c' },
    { text: 'Rs.6 debited' },
  ]);
});
