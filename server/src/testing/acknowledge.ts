import { deliver } from '../callbacks/record.ts';
import { claimCallbacks } from '../callbacks/store.ts';
import { recordOutcome } from '../orders/callback-outcome.ts';
import { SECOND } from '../platform/clock.ts';
import type { Platform } from '../platform/platform.ts';

/** Every merchant that is due to be told answers 'success'. */
export async function acknowledge(platform: Platform): Promise<void> {
  const sender = {
    send: () =>
      Promise.resolve({
        httpMethod: 'POST' as const,
        request: '',
        signed: '',
        status: 200,
        answer: 'success',
        error: null,
        durationMs: 1,
        acknowledged: true,
      }),
    close: () => Promise.resolve(),
  };
  const limits = { total: 100, perMerchant: 100, leaseMs: SECOND };
  for (const callback of await claimCallbacks(platform, limits))
    await deliver(platform, sender, callback, recordOutcome);
}
