/**
 * Sign-in attempts of one account and address take turns, so that a burst of guesses cannot pass the lock-out
 * between its check and its count. Waiting is bounded: each attempt costs 40 ms and 19 MiB.
 */
const MAX_WAITING = 200;

const queues = new WeakMap<object, Map<string, Promise<unknown>>>();
const waiting = new WeakMap<object, number>();

/** Runs `work` after every earlier one of the same key; undefined when too many wait already. */
export async function takeTurn<Result>(
  owner: object,
  key: string,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  const count = waiting.get(owner) ?? 0;
  if (count >= MAX_WAITING) return undefined;
  waiting.set(owner, count + 1);
  const queue = queues.get(owner) ?? new Map<string, Promise<unknown>>();
  queues.set(owner, queue);
  const mine = (queue.get(key) ?? Promise.resolve()).then(work);
  const settled = mine.catch(() => undefined);
  queue.set(key, settled);
  try {
    return await mine;
  } finally {
    waiting.set(owner, (waiting.get(owner) ?? 1) - 1);
    if (queue.get(key) === settled) queue.delete(key);
  }
}
