/** How many calls may run and wait. */
interface Limits {
  /** Of all keys together at once. */
  readonly atOnce: number;
  /** Of one key at once. */
  readonly ofOne: number;
  /** Of one key that wait. */
  readonly waiting: number;
  /** Of all keys together: no more than are served before their callers give up. */
  readonly waitingInAll: number;
}

/** Ends a turn; to be called once, when the work is done. */
export type EndTurn = () => void;

/**
 * Turns for calls, by who asks: each key has a few at once, and whoever waits does so behind calls of its own and one call of each other
 * key. `take` answers undefined where too many wait already.
 */
export function fairTurns({ atOnce, ofOne, waiting, waitingInAll }: Limits) {
  let running = 0;
  let waitingNow = 0;
  const runningOf = new Map<string, number>();
  /** By key, in the order of their turns. */
  const queues = new Map<string, (() => void)[]>();

  const mayRun = (key: string) => running < atOnce && (runningOf.get(key) ?? 0) < ofOne;

  function begin(key: string): void {
    running += 1;
    runningOf.set(key, (runningOf.get(key) ?? 0) + 1);
  }

  function end(key: string): void {
    running -= 1;
    const left = runningOf.get(key)! - 1;
    if (left === 0) runningOf.delete(key);
    else runningOf.set(key, left);
    for (const [next, queue] of queues) {
      if (!mayRun(next)) continue;
      // Who has more to do goes to the end of the line.
      const first = queue.shift()!;
      queues.delete(next);
      if (queue.length > 0) queues.set(next, queue);
      begin(next);
      waitingNow -= 1;
      first();
      return;
    }
  }

  const turnOf =
    (key: string): EndTurn =>
    () =>
      end(key);

  return {
    async take(key: string): Promise<EndTurn | undefined> {
      if (!queues.has(key) && mayRun(key)) {
        begin(key);
        return turnOf(key);
      }
      const queue = queues.get(key) ?? [];
      if (queue.length >= waiting || waitingNow >= waitingInAll) return undefined;
      queues.set(key, queue);
      waitingNow += 1;
      await new Promise<void>((resolve) => queue.push(resolve));
      return turnOf(key);
    },
  };
}
