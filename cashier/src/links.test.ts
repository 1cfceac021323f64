import { expect, test } from 'vitest';
import { appLinks, isIos, payAppLink, webAddress } from './links.ts';

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
  expect(appLinks('upi://pay?pa=a@okaxis&pn=A%20B&am=1.37', 1010, true).map(({ href }) => href)).toEqual([
    'phonepe://pay?pa=a@okaxis&pn=A%20B&am=1.37',
    'tez://upi/pay?pa=a@okaxis&pn=A%20B&am=1.37',
    'paytmmp://pay?pa=a@okaxis&pn=A%20B&am=1.37',
  ]);
  expect(appLinks('phonepe://pay?pa=a@ybl', 1010, true)).toEqual([]);
});

test("an app's own product opens that app on every phone; others ask Android which", () => {
  const upi = 'upi://pay?pa=a@ybl';
  for (const ios of [true, false])
    expect(appLinks(upi, 1021, ios)).toEqual([{ app: 'PhonePe', href: 'phonepe://pay?pa=a@ybl' }]);
  expect(appLinks(upi, 1010, false)).toEqual([]);
});

test('an iPad is distinguished from a Mac by its touch points', () => {
  expect(isIos('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)', 5)).toBe(true);
  expect(isIos('Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 5)).toBe(true);
  expect(isIos('Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 0)).toBe(false);
  expect(isIos('Mozilla/5.0 (Linux; Android 15)', 5)).toBe(false);
});
