import { setTimeout as otherWork } from 'node:timers/promises';
import { perPlatform } from '../../platform/node-state.ts';
import type { Platform } from '../../platform/platform.ts';

const turnsOf = perPlatform(() => ({ taken: false, waiting: [] as (() => void)[] }));

/**
 * Runs the work on one page of an export when its turn comes: one page at a time on a node, in the order of asking. So all exports make
 * progress, and together they use one database connection. After a page comes a pause as long as the page took, so that other work has the
 * processor and the database for at least half of the time.
 */
export async function inPageTurn<Result>(platform: Platform, work: () => Promise<Result>): Promise<Result> {
  const turns = turnsOf(platform);
  if (!turns.taken) turns.taken = true;
  else await new Promise<void>((resolve) => turns.waiting.push(resolve));
  const began = performance.now();
  try {
    return await work();
  } finally {
    await otherWork(performance.now() - began);
    const next = turns.waiting.shift();
    if (next) next();
    else turns.taken = false;
  }
}
