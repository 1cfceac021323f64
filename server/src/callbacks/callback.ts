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
  /** Attempts made before this one, and how many of them were made before it was put back on the queue. */
  readonly attempts: number;
  readonly attemptsBefore: number;
  /** When it became due, as PostgreSQL writes it, to the microsecond. */
  readonly nextAt: string;
  /** The claim that leases it, together with the merchant's id. */
  readonly claim: bigint;
  readonly merchant: Recipient;
}

/** How a merchant is notified. */
export interface Recipient {
  /** The merchant's own schedule, in seconds. */
  readonly waits: readonly number[] | null;
  readonly signType: SignType;
  /** Sealed by the vault. */
  readonly secret: Buffer;
}

/** The outcome of a callback. 'revived' (put back on the queue) and 'withdrawn' (taken off) are an operator's actions. */
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

/** Applies outcomes to their orders, in the transaction that records them and before the callbacks themselves change. */
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
  /** When a failed callback is tried again. */
  readonly nextAt: Date;
}

/** The names of outcomes in an order's history. */
export const EVENT_OF = {
  succeeded: 'callbackSucceeded',
  exhausted: 'callbackFailed',
  withdrawn: 'callbackWithdrawn',
  revived: 'callbackRequested',
} as const satisfies Record<string, EventKind>;

/** Attempts made so far. An operator's action is not an attempt. */
export function attemptsOf({ callback, outcome }: CallbackChange): number {
  return callback.attempts + (outcome === 'withdrawn' || outcome === 'revived' ? 0 : 1);
}
