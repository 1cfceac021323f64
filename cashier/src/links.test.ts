import { expect, test } from 'vitest';
import { iosAppLinks, isIos, payAppLink, webAddress } from './links.ts';

test.each([
  ['https://shop.example/thanks?o=1', 'https://shop.example/thanks?o=1'],
  ['http://shop.example', 'http://shop.example/'],
  ['javascript:alert(1)', undefined],
  [' java\nscript:alert(1)', undefined],
  ['data:text/html,hello', undefined],
  ['intent://shop', undefined],
  ['/relative', undefined],
  ['', undefined],
  [null, undefined],
])('return address %j: %s', (text, address) => {
  expect(webAddress(text)).toBe(address);
});

test('only payment apps are opened', () => {
  expect(payAppLink('upi://pay?pa=a@okaxis')).toBe('upi://pay?pa=a@okaxis');
  expect(payAppLink('phonepe://pay?pa=a@ybl')).toBe('phonepe://pay?pa=a@ybl');
  expect(payAppLink('javascript://pay?pa=a@ybl')).toBeUndefined();
  expect(payAppLink(undefined)).toBeUndefined();
});

test('iOS links keep the query as it is', () => {
  expect(iosAppLinks('upi://pay?pa=a@okaxis&pn=A%20B&am=1.37').map(({ href }) => href)).toEqual([
    'phonepe://pay?pa=a@okaxis&pn=A%20B&am=1.37',
    'tez://upi/pay?pa=a@okaxis&pn=A%20B&am=1.37',
    'paytmmp://pay?pa=a@okaxis&pn=A%20B&am=1.37',
  ]);
  expect(iosAppLinks('phonepe://pay?pa=a@ybl')).toEqual([]);
});

test('an iPad is distinguished from a Mac by its touch points', () => {
  expect(isIos('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)', 5)).toBe(true);
  expect(isIos('Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 5)).toBe(true);
  expect(isIos('Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 0)).toBe(false);
  expect(isIos('Mozilla/5.0 (Linux; Android 15)', 5)).toBe(false);
});
