import type { DemoPayment } from '@sangam/contract/demo-payments.ts';
import { perPlatform } from '../platform/node-state.ts';

interface DemoBank {
  /** Set where this node has the demo's outside world beside it. */
  pay: ((payment: DemoPayment) => void) | undefined;
}

export const demoBank = perPlatform((): DemoBank => ({ pay: undefined }));
