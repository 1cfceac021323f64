/** How many calls may run and wait. */
interface Limits {
  /** Running calls of all keys together. */
  readonly atOnce: number;
  /** Running calls of one key. */
  readonly ofOne: number;
  /** Waiting calls of one key. */
  readonly waiting: number;
  /** Waiting calls of all keys together. No more than can run before their callers give up. */
  readonly waitingInAll: number;
}

/** Ends a turn. Call it once, when the work is done. */
export type EndTurn = () => void;

/**
 * Gives turns to calls, by key. Each key may run a few calls at once. A waiting call waits behind the calls of its own key and one call of
 * each other key. `take` answers undefined when too many calls wait already.
 */
export function fairTurns({ atOnce, ofOne, waiting, waitingInAll }: Limits) {
  let running = 0;
  let waitingNow = 0;
  const runningOf = new Map<string, number>();
  /** Waiting calls by key, in the order of the keys' turns. */
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
      // A key with more waiting calls goes to the end of the line.
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
