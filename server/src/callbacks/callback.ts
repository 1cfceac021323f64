import type { SignType } from '@sangam/contract/signature.ts';
import type { Tx } from '../platform/db/database.ts';
import type { Actor, EventKind } from '../history/events.ts';
import type { Platform } from '../platform/platform.ts';
import type { AttemptResult } from './send.ts';

export type CallbackKind = 'paid' | 'manual' | 'timeout' | 'reversed' | 'payout';

/** An outbox row this node has leased. */
export interface ClaimedCallback {
  readonly id: bigint;
  readonly orderId: bigint;
  readonly merchantId: bigint;
  readonly kind: CallbackKind;
  readonly url: string;
  readonly transport: 'json' | 'form' | 'query';
  readonly fields: Readonly<Record<string, string>>;
  /** Attempts made before this one, and how many of them before it was taken up again. */
  readonly attempts: number;
  readonly attemptsBefore: number;
  /** Since when it was due, as PostgreSQL tells it, to the microsecond. */
  readonly nextAt: string;
  /** With the merchant's: under which it is leased. */
  readonly claim: bigint;
  readonly merchant: Recipient;
}

/** How a merchant wants to be told. */
export interface Recipient {
  /** Its own schedule, in seconds. */
  readonly waits: readonly number[] | null;
  readonly signType: SignType;
  /** Sealed. */
  readonly secret: Buffer;
}

/** What became of a callback; 'revived' and 'withdrawn' are an operator's doing. */
export type CallbackOutcome = 'succeeded' | 'failed' | 'exhausted' | 'revived' | 'withdrawn';

export interface CallbackChange {
  readonly callback: {
    readonly id: bigint;
    readonly orderId: bigint;
    readonly kind: CallbackKind;
    readonly attempts: number;
  };
  readonly outcome: CallbackOutcome;
}

/** Told, in the transaction that records them and before the callbacks themselves, what changes mean for their orders. */
export type OutcomeListener = (
  platform: Platform,
  tx: Tx,
  changes: readonly CallbackChange[],
  actor: Actor,
) => Promise<void>;

/** An attempt that was made and is not recorded yet. */
export interface MadeAttempt {
  readonly callback: ClaimedCallback;
  readonly attempt: AttemptResult;
  readonly at: Date;
  readonly outcome: 'succeeded' | 'failed' | 'exhausted';
  /** When a failed one is tried again. */
  readonly nextAt: Date;
}

/** As histories name it. */
export const EVENT_OF = {
  succeeded: 'callbackSucceeded',
  exhausted: 'callbackFailed',
  withdrawn: 'callbackWithdrawn',
  revived: 'callbackRequested',
} as const satisfies Record<string, EventKind>;

/** Those made so far: an operator's word is no attempt. */
export function attemptsOf({ callback, outcome }: CallbackChange): number {
  return callback.attempts + (outcome === 'withdrawn' || outcome === 'revived' ? 0 : 1);
}
