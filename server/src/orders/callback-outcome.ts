import type { CallbackChange, OutcomeListener } from '../callbacks/callback.ts';
import { recordCallbackOutcome } from '../collection/callback-outcome.ts';
import { recordPayoutCallback } from '../payout/callback-outcome.ts';

/** Records the outcomes of callbacks with the orders they were about, of either direction. */
export const recordOutcome: OutcomeListener = async (platform, tx, changes, actor) => {
  const isPayout = ({ callback }: CallbackChange) => callback.kind === 'payout';
  await recordCallbackOutcome(
    platform,
    tx,
    changes.filter((change) => !isPayout(change)),
    actor,
  );
  await recordPayoutCallback(platform, tx, changes.filter(isPayout), actor);
};
