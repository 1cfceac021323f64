import { expect, test } from 'vitest';
import { FakeClock } from '../../testing/clock.ts';
import { MINUTE } from '../clock.ts';
import { createIdMaker, firstIdAt, timeOfId } from './ids.ts';

test('ids of now and of history never repeat and keep the order of their times', () => {
  const clock = new FakeClock();
  const ids = createIdMaker(clock, 3);
  const past = new Date(clock.now().getTime() - 86_400_000);
  const made = Array.from({ length: 20_000 }, (_, n) =>
    ids.next(n % 3 === 0 ? past : n % 3 === 1 ? clock.now() : undefined),
  );
  expect(new Set(made).size).toBe(made.length);
  const now = made.filter((_, n) => n % 3 !== 0);
  expect(now.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(now);
  expect(timeOfId(firstIdAt(past))).toEqual(past);
  expect(
    made.every((id, n) => (n % 3 === 0 ? id < firstIdAt(clock.now()) : id >= firstIdAt(clock.now()))),
  ).toBe(true);
});

test('two nodes never make the same id, and a clock set back repeats none', () => {
  const clock = new FakeClock();
  const [a, b] = [createIdMaker(clock, 1), createIdMaker(clock, 2)];
  const before = [a.next(), b.next(), a.next()];
  clock.advance(-5_000);
  expect(new Set([...before, a.next(), b.next()]).size).toBe(5);
});

test('a node whose ids are more than a minute ahead of its clock gives none and must end', () => {
  const clock = new FakeClock();
  const lost: Error[] = [];
  const ids = createIdMaker(clock, 1, (error) => lost.push(error));
  clock.advance(MINUTE);
  ids.next();
  clock.advance(-MINUTE);
  ids.next();
  expect(lost).toEqual([]);
  clock.advance(20 * MINUTE);
  ids.next();
  clock.advance(-20 * MINUTE);
  expect(() => ids.next()).toThrow('1200 s ahead of its clock');
  expect(() => ids.next(clock.now())).toThrow('1200 s ahead of its clock');
  expect(lost).toHaveLength(2);
});
