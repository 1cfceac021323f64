import { expect, test } from 'vitest';
import { sourceOf } from './source.ts';

test('an IPv4 address counts by itself, an IPv6 address by its /64', () => {
  expect(sourceOf('203.0.113.9')).toBe('203.0.113.9');
  expect(sourceOf('::ffff:203.0.113.9')).toBe('203.0.113.9');
  expect(sourceOf('2a00:1450:4001:800::1')).toBe('2a00:1450:4001:800::/64');
  expect(sourceOf('2A00:1450:4001:0800:ffff::2')).toBe('2a00:1450:4001:800::/64');
  expect(sourceOf('2a00:1450:4001:801::1')).not.toBe(sourceOf('2a00:1450:4001:800::1'));
  expect(sourceOf('::1')).toBe('0:0:0:0::/64');
  expect(sourceOf('unknown')).toBe('unknown');
});
