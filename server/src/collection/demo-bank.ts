import type { DemoPaymentKind } from '@sangam/contract/endpoints/outside.ts';
import { perPlatform } from '../platform/node-state.ts';

/** A payment that the demo's bank makes for a visitor. Paise. */
export interface DemoPayment {
  readonly how: DemoPaymentKind;
  readonly amount: number;
  /** Of the account that is paid: one of the two. */
  readonly vpa?: string | undefined;
  readonly accountNumber?: string | undefined;
}

interface DemoBank {
  /** Set where this node has the demo's outside world beside it. */
  pay: ((payment: DemoPayment) => void) | undefined;
}

export const demoBank = perPlatform((): DemoBank => ({ pay: undefined }));
