import { Worker } from 'node:worker_threads';

export interface ApartLimits {
  /** Milliseconds. */
  readonly longest: number;
  /** Users whose work runs or waits on a node; it runs one after another. */
  readonly mostWaiting: number;
}

/** Why there is no result: too many wait, or the work took too long or broke its thread. */
export type ApartFailure = 'tooMany' | 'tooLong' | 'broken';

/**
 * Work on what a user uploaded that would hold the node's own thread, and so everybody's calls: `thread` does it in a thread of its
 * own for each piece, reads `workerData` and posts its result. What a piece does to its thread ends with it. One piece of a user at a time.
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
    // Neither our environment nor our flags.
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve) => {
      timer = setTimeout(() => resolve('tooLong'), longest);
      worker.once('message', resolve);
      // Its memory's limit, or code that broke.
      worker.once('error', () => resolve('broken'));
      worker.once('exit', () => resolve('broken'));
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
