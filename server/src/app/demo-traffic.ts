import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { CaughtNotification } from '@sangam/contract/demo-catcher.ts';
import type { DemoPayment } from '@sangam/contract/demo-payments.ts';

const OUTSIDE_WORLD = fileURLToPath(new URL('../../../simulators/src/outside-world.ts', import.meta.url));
/**
 * How long to wait before starting the outside world again. It ends while a simulation runs; started again, it waits for the end of that.
 */
const AGAIN_MS = 2_000;

/** Runs the demo's phones, banks, payers and merchants in a process that ends with this one. `npm start` uses it. */
export function startDemoTraffic(
  dataDir: string,
  onCaught: (caught: CaughtNotification) => void,
): {
  /** Makes the bank pay an order for a visitor. The request is lost while the outside world is not running. */
  pay(payment: DemoPayment): void;
  /** Resolves when the services that the demo calls listen. */
  readonly listening: Promise<void>;
  stop(): void;
} {
  let child: ChildProcess | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const { promise: listening, resolve } = Promise.withResolvers<void>();
  const start = () => {
    child = spawn(process.execPath, [OUTSIDE_WORLD, dataDir], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    child.on('message', (said) => {
      if (said === 'listening') resolve();
      else onCaught(said as CaughtNotification);
    });
    child.once('exit', () => {
      if (!isOver) timer = setTimeout(start, AGAIN_MS);
    });
  };
  start();
  return {
    listening,
    pay(payment) {
      if (child?.connected) child.send(payment);
    },
    stop() {
      isOver = true;
      clearTimeout(timer);
      child?.kill();
    },
  };
}
