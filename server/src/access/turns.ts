/**
 * Sign-in attempts of one account and source run one after another, so that a burst of guesses cannot pass the lock-out between
 * its check and its count. The number of waiting attempts is limited: each costs 40 ms and 19 MiB. One source may use an eighth
 * of the room, so that a flood from it keeps nobody else from signing in.
 */
const MAX_WAITING = 200;
const MAX_WAITING_OF_SOURCE = 25;

class Waiting {
  readonly queues = new Map<string, Promise<unknown>>();
  readonly bySource = new Map<string, number>();
  all = 0;

  /** Adds one waiting attempt of the source, or removes one. */
  count(source: string, by: 1 | -1): void {
    this.all += by;
    const left = (this.bySource.get(source) ?? 0) + by;
    if (left === 0) this.bySource.delete(source);
    else this.bySource.set(source, left);
  }
}

const waitingOf = new WeakMap<object, Waiting>();

/** Runs `work` after all earlier work of the same account and source; undefined when too many wait already. */
export async function takeTurn<Result>(
  owner: object,
  account: string,
  source: string,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  const waiting = waitingOf.get(owner) ?? new Waiting();
  waitingOf.set(owner, waiting);
  if (waiting.all >= MAX_WAITING || (waiting.bySource.get(source) ?? 0) >= MAX_WAITING_OF_SOURCE)
    return undefined;
  waiting.count(source, 1);
  const { queues } = waiting;
  const key = `${account} ${source}`;
  const mine = (queues.get(key) ?? Promise.resolve()).then(work);
  const settled = mine.catch(() => undefined);
  queues.set(key, settled);
  try {
    return await mine;
  } finally {
    waiting.count(source, -1);
    if (queues.get(key) === settled) queues.delete(key);
  }
}
