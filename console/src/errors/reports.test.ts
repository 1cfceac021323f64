import { expect, it } from 'vitest';
import { createGate, reportOf } from './reports.ts';

const report = (mes: string) => ({ type: 'script' as const, code: 0, mes, url: '/home' });

it('lets an error through once a minute, and no more than ten', () => {
  let now = 0;
  const passes = createGate(() => now);
  expect([passes(report('a')), passes(report('a')), passes(report('b'))]).toEqual([true, false, true]);
  for (let n = 0; n < 20; n += 1) passes(report(String(n)));
  expect(passes(report('c'))).toBe(false);
  now = 60_000;
  expect(passes(report('a'))).toBe(true);
});

it('takes anything that was thrown, cut to what the server takes', () => {
  const long = new TypeError('x'.repeat(5000));
  expect(reportOf(long, '/a')).toMatchObject({ type: 'script', code: 0, url: '/a' });
  expect(reportOf(long, '/a').mes).toHaveLength(1000);
  expect(reportOf('plain', '/a').mes).toBe('plain');
  expect(reportOf('', '/a').mes).toBe('unknown');
});
