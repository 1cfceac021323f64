import { MINUTE } from './clock.ts';
import { sweepNonces } from './merchants/signed-merchant.ts';
import { sweepFailures } from './people/lock-out.ts';
import type { Platform } from './platform.ts';

export interface Loops {
  /** Starts no further round and waits for those under way. */
  stop(): Promise<void>;
}

/** What a node does by itself. Every loop is safe on any number of nodes at once. */
export function startLoops(platform: Platform): Loops {
  const loops = [
    every(platform, 'nonces', MINUTE, () => sweepNonces(platform)),
    every(platform, 'sign-in failures', 15 * MINUTE, () => sweepFailures(platform)),
  ];
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

/** Runs `work` again `pauseMs` after it ended; a failure is logged and the next round tries anew. */
function every(platform: Platform, name: string, pauseMs: number, work: () => Promise<unknown>): Loops {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const round = async (): Promise<void> => {
    try {
      await work();
    } catch (error) {
      platform.log.error({ err: error, loop: name }, 'loop failed');
    }
    if (!stopped) schedule();
  };
  const schedule = (): void => {
    timer = setTimeout(() => {
      running = round();
    }, pauseMs);
  };
  schedule();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
