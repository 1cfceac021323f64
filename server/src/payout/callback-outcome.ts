import type { OutcomeListener } from '../callbacks/dispatch.ts';
import { SYSTEM, writeEvents } from '../history/events.ts';
import { lockPayouts } from './store.ts';

/** What became of a payout's notification stands in its history; its status says how it ended, not who was told. */
export const recordPayoutCallback: OutcomeListener = async (platform, tx, callback, outcome) => {
  if (outcome === 'failed') return;
  const [order] = await lockPayouts(tx, [callback.orderId]);
  if (!order) return;
  await writeEvents(platform, tx, [
    {
      orderId: order.id,
      kind: outcome === 'succeeded' ? 'callbackSucceeded' : 'callbackFailed',
      from: order.status,
      to: order.status,
      actor: SYSTEM,
      data: { callbackId: String(callback.id), attempts: callback.attempts + 1 },
    },
  ]);
};
