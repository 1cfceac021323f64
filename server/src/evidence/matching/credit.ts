import type { BalanceMode } from '@sangam/contract/chain.ts';
import type { MessageState } from './message.ts';

/** A credit on a known account, reported by a message of the bank or by the rail itself. */
export interface Credit {
  readonly accountId: bigint;
  /** Minor units. */
  readonly amount: bigint;
  readonly reference: string | null;
  readonly payer: string | null;
  readonly text: string;
  /** A NEFT credit that names only the day. Banks book NEFT in batches, so the payer may have paid hours before. */
  readonly isSlow?: boolean;
  /** Its message names no minute. It may be another wording of a payment that was reported hours before. */
  readonly isVague?: boolean;
  /** The account's balance after the credit, if the message states it; minor units. */
  readonly balance?: bigint | null;
  /** When the money moved: the bank's time where it is precise enough, else when the device got the message. */
  readonly at: Date;
  /**
   * Only an order with exactly this payable amount is completed. A reference that the payer typed completes no order of another amount
   * (docs/rails.md#usdt-trc-20).
   */
  readonly isExact?: boolean;
}

/** A credit that was just reported. */
export interface NewCredit extends Credit {
  /** The id of the stored message. */
  readonly messageId: bigint;
  readonly monitorId: bigint;
  readonly currency: string;
  readonly balance: bigint | null;
  /** How the account's bank states balances. Null: the rail itself reports its credits, and they do not wait for the chain. */
  readonly balanceMode: BalanceMode | null;
  /** Another message of this movement names a payer that is listed. */
  readonly isToldListed?: boolean;
}

/** Why a credit belongs to an order. */
export type Evidence = 'payerUtr' | 'identifyCode' | 'exactAmount' | 'amountAndName';

/** What becomes of a message. */
export interface Verdict {
  readonly state: MessageState;
  readonly reason: string | null;
  /** The order that the message was joined to. */
  readonly orderId: bigint | null;
  readonly evidence: Evidence | 'supplement' | null;
}

/** A verdict that joins the message to no order. */
export function verdict(state: MessageState, reason: string | null): Verdict {
  return { state, reason, orderId: null, evidence: null };
}
