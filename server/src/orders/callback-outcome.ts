import type { OutcomeListener } from '../callbacks/dispatch.ts';
import { recordCallbackOutcome } from '../collection/callback-outcome.ts';
import { recordPayoutCallback } from '../payout/callback-outcome.ts';

/** What a callback attempt means, told to the order it was about. */
export const recordOutcome: OutcomeListener = (platform, tx, callback, outcome) =>
  callback.kind === 'payout'
    ? recordPayoutCallback(platform, tx, callback, outcome)
    : recordCallbackOutcome(platform, tx, callback, outcome);
