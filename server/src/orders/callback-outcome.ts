import type { CallbackChange, OutcomeListener } from '../callbacks/callback.ts';
import { recordCallbackOutcome } from '../collection/callback-outcome.ts';
import { recordPayoutCallback } from '../payout/callback-outcome.ts';

/** What became of callbacks, told to the orders they were about. */
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
