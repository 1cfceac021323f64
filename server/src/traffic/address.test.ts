import { expect, test } from 'vitest';
import { addressOf, networkOf } from './address.ts';
import { deviceOf, hostOf } from './device.ts';
import { bandOf } from './source.ts';

test.each([
  ['203.0.113.9', '203.0.113.9', '203.0.113.0/24'],
  ['::ffff:203.0.113.9', '203.0.113.9', '203.0.113.0/24'],
  ['2001:DB8:0:0:0:0:0:1', '2001:db8::1', '2001:db8::/48'],
  ['2001:db8:12:34:5::6', '2001:db8:12:34:5::6', '2001:db8:12::/48'],
  ['2001::5:0:0:1', '2001::5:0:0:1', '2001::/48'],
  ['::1', '::1', '::/48'],
  ['unknown', undefined, ''],
  ['10.0.0.1, 10.0.0.2', undefined, ''],
])('%s is the address %s of the network %s', (text, address, network) => {
  expect(addressOf(text)).toBe(address);
  expect(networkOf(text)).toBe(network);
});

test.each([
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148', 'phone'],
  ['Mozilla/5.0 (Linux; Android 14; SM-A155F) AppleWebKit/537.36 Chrome/126.0 Mobile Safari/537.36', 'phone'],
  ['Mozilla/5.0 (Linux; Android 13; SM-X200) AppleWebKit/537.36 Chrome/126.0 Safari/537.36', 'tablet'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/126.0 Safari/537.36', 'desktop'],
  ['WhatsApp/2.24.1 A', undefined],
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', undefined],
  ['', undefined],
])('%s is a %s', (userAgent, device) => {
  expect(deviceOf(userAgent)).toBe(device);
});

test('the host a payer comes from', () => {
  expect(hostOf('https://Shop.Example/cart?x=1')).toBe('shop.example');
  expect(hostOf('nonsense')).toBeUndefined();
  expect(hostOf(undefined)).toBeUndefined();
});

test.each([
  [99n, 'INR', 0n],
  [1_00n, 'INR', 1_00n],
  [1_999_99n, 'INR', 1_000_00n],
  [2_000_00n, 'INR', 2_000_00n],
  [7_500_00n, 'KES', 5_000_00n],
  [12_500_000n, 'USDT', 10_000_000n],
] as const)('%d of %s lies in the band from %d', (amount, currency, band) => {
  expect(bandOf(amount, currency)).toBe(band);
});
