import type { DemoPayment } from '@sangam/contract/demo-payments.ts';
import { perPlatform } from '../platform/node-state.ts';

interface DemoBank {
  /** Set on a node that runs the simulated world of the demo beside it. */
  pay: ((payment: DemoPayment) => void) | undefined;
}

export const demoBank = perPlatform((): DemoBank => ({ pay: undefined }));
