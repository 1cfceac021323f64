import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { gather } from './gather.ts';

const fair = { between: ([asker]: string) => asker, atOnce: 3, most: 5, full: 'full' };

test('what comes together goes together; a batch that fails is tried one by one', async () => {
  const batches: (readonly number[])[] = [];
  const double = gather(
    async (inputs: readonly number[]) => {
      batches.push(inputs);
      if (inputs.includes(3)) throw new Error('three');
      return inputs.map((input) => input * 2);
    },
    { batch: 3, inFlight: 1 },
  );
  const answers = await Promise.allSettled([1, 2, 3, 4].map((input) => double(input)));
  expect(batches).toEqual([[1, 2, 3], [1], [2], [3], [4]]);
  expect(answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : 'failed'))).toEqual([
    2,
    4,
    'failed',
    8,
  ]);
});

test('an asker with many requests waits behind its own, and one above the limit is answered at once', async () => {
  const batches: (readonly string[])[] = [];
  const ask = gather(
    async (inputs: readonly string[]) => {
      batches.push(inputs);
      await turn();
      return inputs;
    },
    { batch: 3, inFlight: 1, fair },
  );
  const greedy = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6'].map((input) => ask(input));
  const others = ['b1', 'c1', 'b2'].map((input) => ask(input));
  expect(await greedy.at(-1)).toBe('full');
  await Promise.all([...greedy, ...others]);
  expect(batches).toEqual([
    ['a1', 'b1', 'c1'],
    ['a2', 'b2', 'a3'],
    ['a4', 'a5'],
  ]);
});

test('while others ask too, a batch takes only a few of one asker; an asker alone gets whole batches', async () => {
  const batches: (readonly string[])[] = [];
  const run = async (inputs: readonly string[]) => {
    batches.push(inputs);
    await turn();
    return inputs;
  };
  const limits = { batch: 6, inFlight: 1, fair: { ...fair, atOnce: 2, most: 10 } };
  const shared = gather(run, limits);
  await Promise.all(['a1', 'a2', 'a3', 'b1', 'a4', 'a5'].map((input) => shared(input)));
  expect(batches.splice(0)).toEqual([['a1', 'b1', 'a2'], ['a3', 'a4'], ['a5']]);
  const alone = gather(run, limits);
  await Promise.all(['a1', 'a2', 'a3'].map((input) => alone(input)));
  expect(batches).toEqual([['a1', 'a2', 'a3']]);
});
