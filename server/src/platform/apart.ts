import { Worker } from 'node:worker_threads';

export interface ApartLimits {
  /** The longest that one piece of work may take, ms. */
  readonly longest: number;
  /** How many users may have work that runs or waits on a node. The node runs one piece of work after another. */
  readonly mostWaiting: number;
}

/** Why there is no result: too many users wait, the work took too long, or the work broke its thread. */
export type ApartFailure = 'tooMany' | 'tooLong' | 'broken';

/**
 * Runs work on uploaded files that would block the node's own thread and so every call. Each piece runs in a new thread from the script
 * `thread`. The script reads `workerData` and posts its result. Whatever a piece breaks in its thread ends with the thread. A user has one
 * piece of work at a time; another one is answered 'tooMany'.
 */
export function workApart<Data, Result>(thread: URL, limits: ApartLimits) {
  const users = new Set<bigint>();
  let last: Promise<unknown> = Promise.resolve();
  return async (userId: bigint, data: Data): Promise<Result | ApartFailure> => {
    if (users.has(userId) || users.size >= limits.mostWaiting) return 'tooMany';
    users.add(userId);
    const work = last.then(() => runApart<Result>(thread, data, limits.longest));
    last = work.catch(() => undefined);
    try {
      return await work;
    } finally {
      users.delete(userId);
    }
  };
}

async function runApart<Result>(thread: URL, data: unknown, longest: number): Promise<Result | ApartFailure> {
  const worker = new Worker(thread, {
    workerData: data,
    // The thread gets neither the environment nor the flags of this process.
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve) => {
      timer = setTimeout(() => resolve('tooLong'), longest);
      worker.once('message', resolve);
      // The thread passed its memory limit, or its code threw.
      worker.once('error', () => resolve('broken'));
      worker.once('exit', () => resolve('broken'));
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
