import { expect, test } from 'vitest';
import { workApart } from './apart.ts';

/** Work on uploaded files runs in threads, and no user can occupy them all. */

const threadOf = (code: string) => new URL(`data:text/javascript,${encodeURIComponent(code)}`);
/** Answers its input after this many milliseconds. A negative number breaks it. */
const echo = threadOf(`
  import { parentPort, workerData } from 'node:worker_threads';
  if (workerData < 0) throw new Error('broken');
  setTimeout(() => parentPort.postMessage(workerData), workerData);
`);
const endless = threadOf(`for (;;);`);
const hungry = threadOf(`const all = []; for (;;) all.push(new Array(100_000).fill(all.length));`);

test('one piece of work per user and a limited number of users; others are refused until one is done', async () => {
  const work = workApart<number, number>(echo, { longest: 10_000, mostWaiting: 3 });
  const users = [1n, 2n, 2n, 3n, 4n];
  const done = await Promise.all(users.map((userId, place) => work(userId, place + 1)));
  expect(done).toEqual([1, 2, 'tooMany', 4, 'tooMany']);
  expect(await work(4n, 7)).toBe(7);
});

test('a piece that takes too long, or breaks its thread, ends alone', async () => {
  const limits = { longest: 500, mostWaiting: 3 };
  expect(await workApart(endless, limits)(1n, 0)).toBe('tooLong');
  expect(await workApart(hungry, { ...limits, longest: 15_000 })(1n, 0)).toBe('broken');
  // A thread of a busy machine may take long to start.
  const work = workApart<number, number>(echo, { ...limits, longest: 5_000 });
  const pieces = [-1, 60_000, 3].map((each, index) => work(BigInt(index), each));
  expect(await Promise.all(pieces)).toEqual(['broken', 'tooLong', 3]);
});
