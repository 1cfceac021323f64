import { afterEach, beforeEach, expect, test } from 'vitest';
import { keepFresh } from './keep-fresh.ts';
import { createNodeState, type NodeState } from './node-state.ts';

let state: NodeState;

beforeEach(() => {
  state = createNodeState();
});

afterEach(() => state.stop());

test('a read that began before a write and ends after it does not bring the old value back', async () => {
  let stored = 'old';
  let answer = () => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  let reads = 0;
  const fresh = keepFresh(state, async () => {
    reads += 1;
    const value = stored;
    if (reads === 2) await held;
    return value;
  });
  const slow = fresh.refresh();
  stored = 'new';
  await fresh.refresh();
  answer();
  await slow;
  expect(await fresh.now()).toBe('new');
});

test('while reads fail the last value stays in force, and each failure is told', async () => {
  let isAway = false;
  const failures: unknown[] = [];
  const fresh = keepFresh(
    state,
    () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve('value')),
    (error) => failures.push(error),
  );
  isAway = true;
  await fresh.refresh();
  expect(await fresh.now()).toBe('value');
  expect(failures).toEqual([new Error('away')]);
});

test('a first read that failed throws for whoever asks, until one succeeds', async () => {
  let isAway = true;
  const fresh = keepFresh(state, () =>
    isAway ? Promise.reject(new Error('away')) : Promise.resolve('value'),
  );
  await expect(fresh.now()).rejects.toThrow('away');
  isAway = false;
  await fresh.refresh();
  expect(await fresh.now()).toBe('value');
});
