import type { Currency } from '@sangam/contract/money.ts';
import type { Payer } from '../accounts/payers.ts';

/** A payout as a gateway needs it. */
export interface GatewayPayout {
  readonly orderCode: string;
  /** The account that pays, where the gateway has accounts. */
  readonly accountId: bigint | null;
  readonly currency: Currency;
  /** Minor units. */
  readonly amount: bigint;
  readonly payeeName: string | null;
  readonly payeeAccount: string | null;
  readonly payeeIfsc: string | null;
  readonly payeeVpa: string | null;
  /** 254 and nine digits. */
  readonly payeePhone: string | null;
  /** The address of a wallet. */
  readonly payeeAddress: string | null;
}

/** A gateway's answer to a send. 'unknown' also when there was no answer: the money may be on its way. */
export type SendAnswer =
  | { readonly outcome: 'accepted'; readonly reference: string }
  | { readonly outcome: 'refused'; readonly reason: string }
  /** `reference`: the gateway's own, where it is known although the outcome is not. */
  | { readonly outcome: 'unknown'; readonly reason: string; readonly reference?: string }
  /**
   * Certainly not sent, for a reason outside the payout: the payout waits again. `closesAccount`: the gateway refuses the
   * account's keys, so the account is closed until a person has looked at it.
   */
  | { readonly outcome: 'held'; readonly reason: string; readonly closesAccount?: true };

/** The state of a payout, as the gateway reports it. */
export type CheckAnswer =
  /** `reference`: the gateway's own, where the answer to the send may have been lost. */
  | { readonly state: 'processing'; readonly reference?: string }
  /** `amount` (minor units) and `payeeAddress`: as the gateway states them; absent where it states none. */
  | {
      readonly state: 'processed';
      readonly utr: string | null;
      readonly amount?: bigint | undefined;
      readonly payeeAddress?: string | undefined;
    }
  | { readonly state: 'failed'; readonly reason: string }
  /** No final result after the time by which it should have ended. */
  | { readonly state: 'late'; readonly reason: string; readonly reference?: string }
  | { readonly state: 'unknown' };

/**
 * A gateway that pays by itself. To add one, add a folder with one of these and a line in payout-channels.ts. `key` makes a
 * send idempotent: two sends with one key are one payout. Where the answer with the gateway's own reference was lost, `check`
 * finds the payout by the key. `givenUp` is aborted when nobody waits for the answer any more: from then on a send must not begin, because
 * the payout may be refunded or sent anew.
 */
export interface PayoutChannel {
  /** The accounts that may send the next payouts, best first; with none the payouts wait. Absent: the channel needs no account. */
  payers?(): Promise<readonly Payer[]>;
  /** The channel never takes back what it completed, so it is not asked about that again. */
  readonly isFinal?: true;
  send(payout: GatewayPayout, key: string, givenUp?: AbortSignal): Promise<SendAnswer>;
  check(sent: SentPayout): Promise<CheckAnswer>;
  /** The money that an account has at its gateway, in minor units; undefined where the gateway has no call for it. Absent: no account has one. */
  balanceOf?(accountId: bigint): Promise<bigint | undefined>;
}

/** A payout that was sent. `reference` is the gateway's own, null where its answer was lost. */
export interface SentPayout {
  readonly key: string;
  readonly reference: string | null;
  readonly accountId: bigint | null;
  readonly currency: Currency;
  /** False: an earlier attempt of a payout that was sent anew, or that a supplier has paid since. */
  readonly isPresent: boolean;
  /** The account or its supplier is frozen, or the payout has ended: what has not gone out yet stays. */
  readonly payerHeld: boolean;
}

/** Gateways by the product they pay. */
export type PayoutChannels = ReadonlyMap<number, PayoutChannel>;
