import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startPoller, type Poller } from './poller.ts';

let visible: boolean;
let asked: number;
let taken: number[];
let answers: ((answer: number) => void)[];
let poller: Poller;

beforeEach(() => {
  vi.useFakeTimers();
  visible = true;
  asked = 0;
  taken = [];
  answers = [];
  poller = startPoller<number>({
    ask: () => {
      asked += 1;
      return new Promise((resolve) => answers.push(resolve));
    },
    take: (answer) => {
      taken.push(answer);
      return answer === 0 ? undefined : 3000;
    },
    visible: () => visible,
  });
});

afterEach(() => {
  poller.stop();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

const answer = async (value: number): Promise<void> => {
  answers.shift()?.(value);
  await vi.advanceTimersByTimeAsync(0);
};

test('asks at once, then 3 s after each answer, never twice at a time', async () => {
  expect(asked).toBe(1);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toBe(1);
  await answer(1);
  await vi.advanceTimersByTimeAsync(2999);
  expect(asked).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked).toBe(2);
});

test('rests while hidden and asks at once when told', async () => {
  await answer(1);
  visible = false;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toBe(1);
  visible = true;
  poller.now();
  expect(asked).toBe(2);
});

test('an answer to an outdated request is dropped', async () => {
  poller.now();
  await answer(1);
  expect(taken).toEqual([]);
  await answer(2);
  expect(taken).toEqual([2]);
});

test('does not ask again after a final answer or a stop', async () => {
  await answer(0);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toBe(1);
  poller.now();
  poller.stop();
  await answer(1);
  expect(taken).toEqual([0]);
});
