import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { CaughtNotification } from '@sangam/contract/demo-catcher.ts';
import type { DemoPayment } from '@sangam/contract/demo-payments.ts';

const OUTSIDE_WORLD = fileURLToPath(new URL('../../../simulators/src/outside-world.ts', import.meta.url));
/** The outside world ends for the time of a simulation, and waits for its end when started again. */
const AGAIN_MS = 2_000;

/** Phones, banks, payers and merchants of the demo, in a process of their own that ends with this one. `npm start` asks for it. */
export function startDemoTraffic(
  dataDir: string,
  onCaught: (caught: CaughtNotification) => void,
): {
  /** Has the bank pay an order for a visitor; lost while the outside world is away. */
  pay(payment: DemoPayment): void;
  /** Once what the demo calls listens. */
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
