import { expect, test } from 'vitest';
import { looksLikeCard } from './card-like.ts';

test.each([
  ['4111111111111111', true], // Visa
  ['5555555555554444', true], // Mastercard
  ['2223003122003222', true], // Mastercard, second range
  ['2720992593319364', true], // its upper end
  ['378282246310005', true], // American Express
  ['6011111111111117', true], // Discover
  ['6521111111111110', true], // RuPay
  ['4111111111111112', false], // wrong check digit
  ['8172111111111118', true], // RuPay
  ['1111111111111117', false], // Luhn-valid, no card prefix
  ['50100234567890', false], // an account
  ['411111111111', false], // too short
  ['41111111111111111111', false], // too long
])('%s: %s', (digits, expected) => {
  expect(looksLikeCard(digits)).toBe(expected);
});
