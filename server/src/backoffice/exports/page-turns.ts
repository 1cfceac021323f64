import { setImmediate as otherWork } from 'node:timers/promises';
import { perPlatform } from '../../platform/node-state.ts';
import type { Platform } from '../../platform/platform.ts';

const turnsOf = perPlatform(() => ({ taken: false, waiting: [] as (() => void)[] }));

/**
 * Runs the work on one page of an export when its turn comes: one page at a time on a node, first come first served. An export
 * asks page by page, so all of them get on, however many there are, and together they take one connection of the database. What
 * else the node does comes between any two pages.
 */
export async function inPageTurn<Result>(platform: Platform, work: () => Promise<Result>): Promise<Result> {
  const turns = turnsOf(platform);
  if (!turns.taken) turns.taken = true;
  else await new Promise<void>((resolve) => turns.waiting.push(resolve));
  try {
    return await work();
  } finally {
    await otherWork();
    const next = turns.waiting.shift();
    if (next) next();
    else turns.taken = false;
  }
}
