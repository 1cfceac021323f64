import { Worker } from 'node:worker_threads';
import { SECOND } from '../platform/clock.ts';
import { perPlatform } from '../platform/node-state.ts';
import { type Refusal, refuse } from '../platform/refusal.ts';
import type { PictureProblem, QrPicture } from './qr-picture.ts';

/** Pictures that wait on a node; they are read one after another. */
const MOST_WAITING = 16;
/** A screenshot takes about one second. */
const LONGEST = 10 * SECOND;

/**
 * Reads uploaded pictures beside the node's own thread, which a large JPEG would hold for more than a second. One picture of a user at
 * a time, and so many in all; one more is answered 429.
 */
export const qrReader = perPlatform(() => {
  const users = new Set<bigint>();
  let last: Promise<unknown> = Promise.resolve();
  return async (userId: bigint, bytes: Buffer): Promise<QrPicture | PictureProblem | Refusal> => {
    if (users.has(userId) || users.size >= MOST_WAITING) return refuse('tooMany');
    users.add(userId);
    const reading = last.then(() => readApart(bytes));
    last = reading.catch(() => undefined);
    try {
      return await reading;
    } finally {
      users.delete(userId);
    }
  };
});

/** A thread of its own for each: what a picture does to its decoder ends with it. One that takes too long counts as too large. */
async function readApart(bytes: Buffer): Promise<QrPicture | PictureProblem> {
  const worker = new Worker(new URL('./qr-thread.ts', import.meta.url), {
    workerData: bytes,
    // Neither our environment nor our flags.
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve) => {
      timer = setTimeout(() => resolve('tooLarge'), LONGEST);
      worker.once('message', (read: QrPicture | PictureProblem) =>
        resolve(typeof read === 'string' ? read : { ...read, bytes }),
      );
      // Its memory's limit, or a decoder that broke.
      worker.once('error', () => resolve('notAPicture'));
      worker.once('exit', () => resolve('notAPicture'));
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
