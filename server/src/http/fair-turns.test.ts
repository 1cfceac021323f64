import { expect, test } from 'vitest';
import { type EndTurn, fairTurns } from './fair-turns.ts';

const LIMITS = { atOnce: 3, ofOne: 2, waiting: 5, waitingInAll: 100 };

/** Asks for a turn and records when it is given. */
function ask(
  turns: ReturnType<typeof fairTurns>,
  given: string[],
  key: string,
): Promise<EndTurn | undefined> {
  return turns.take(key).then((end) => {
    given.push(end ? key : `${key} refused`);
    return end;
  });
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('who asks much waits behind its own calls, and others do not', async () => {
  const turns = fairTurns(LIMITS);
  const given: string[] = [];
  const greedy = Array.from({ length: 5 }, () => ask(turns, given, 'greedy'));
  await ask(turns, given, 'other');
  expect(given).toEqual(['greedy', 'greedy', 'other']);
  (await greedy[0])!();
  await settled();
  expect(given).toEqual(['greedy', 'greedy', 'other', 'greedy']);
});

test('where all turns are taken, those who wait are served in a circle', async () => {
  const turns = fairTurns({ ...LIMITS, atOnce: 1 });
  const given: string[] = [];
  const first = await ask(turns, given, 'first');
  const waiting = ['greedy', 'greedy', 'greedy', 'other', 'third'].map((key) => ask(turns, given, key));
  first!();
  for (const turn of [0, 3, 4, 1, 2]) (await waiting[turn])!();
  expect(given).toEqual(['first', 'greedy', 'other', 'third', 'greedy', 'greedy']);
  (await ask(turns, given, 'later'))!();
  expect(given.at(-1)).toBe('later');
});

test('calls beyond the waiting limit are refused, and only those of that key', async () => {
  const turns = fairTurns(LIMITS);
  const given: string[] = [];
  for (let call = 0; call < 8; call += 1) void ask(turns, given, 'greedy');
  await ask(turns, given, 'other');
  expect(given).toEqual(['greedy', 'greedy', 'greedy refused', 'other']);
});

test('many keys together have one waiting limit, and there is room again when a call was served', async () => {
  const turns = fairTurns({ ...LIMITS, atOnce: 1, waitingInAll: 2 });
  const given: string[] = [];
  const first = await ask(turns, given, 'first');
  const waiting = ['second', 'third', 'fourth'].map((key) => ask(turns, given, key));
  await settled();
  expect(given).toEqual(['first', 'fourth refused']);
  first!();
  await waiting[0];
  void ask(turns, given, 'fifth');
  await settled();
  expect(given).toEqual(['first', 'fourth refused', 'second']);
  (await waiting[0])!();
  (await waiting[1])!();
  await settled();
  expect(given).toEqual(['first', 'fourth refused', 'second', 'third', 'fifth']);
});
