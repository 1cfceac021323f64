import type { BalanceMode } from '@sangam/contract/chain.ts';
import type { MessageState } from './message.ts';

/** A credit on a known account, whatever reported it: a message of the bank, or the rail itself. */
export interface Credit {
  readonly accountId: bigint;
  /** Minor units. */
  readonly amount: bigint;
  readonly reference: string | null;
  readonly payer: string | null;
  readonly text: string;
  /** Banks book it in batches, and its message names no time of day: it may have been paid hours before. */
  readonly isSlow?: boolean;
  /** Its message names no minute: a wording of a payment that another wording has told of, perhaps hours before. */
  readonly isVague?: boolean;
  /** The account's balance after it, where it is stated; minor units. */
  readonly balance?: bigint | null;
  /** When the money moved: the bank's time where it is precise enough, else when the device got the message. */
  readonly at: Date;
  /** Only the exact payable amount counts, or the payer's own reference with it: never 'about' it (docs/rails.md#usdt-trc-20). */
  readonly isExact?: boolean;
}

/** A credit that was just reported. */
export interface NewCredit extends Credit {
  /** Of the message it is stored as. */
  readonly messageId: bigint;
  readonly monitorId: bigint;
  readonly currency: string;
  readonly balance: bigint | null;
  /** How the account's bank states balances; null: the rail itself reports its credits, and they wait for no chain. */
  readonly balanceMode: BalanceMode | null;
}

/** Why a credit is an order's. */
export type Evidence = 'payerUtr' | 'identifyCode' | 'exactAmount' | 'amountAndName';

/** What becomes of a message. */
export interface Verdict {
  readonly state: MessageState;
  readonly reason: string | null;
  /** Of the order that the message was joined to. */
  readonly orderId: bigint | null;
  readonly evidence: Evidence | 'supplement' | null;
}

/** A verdict that joins the message to no order. */
export function verdict(state: MessageState, reason: string | null): Verdict {
  return { state, reason, orderId: null, evidence: null };
}
