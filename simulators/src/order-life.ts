import type { CreatedOrder, MerchantClient, QueriedOrder } from './merchant/merchant-client.ts';
import type { ReportResult } from './monitor/monitor-client.ts';
import type { OrderPlan } from './plan.ts';

/** A bank message of the run, with the server's result. */
export interface SentMessage {
  readonly messageId: string;
  readonly sender: string;
  readonly text: string;
  /** Paise; null for noise. */
  readonly amount: number | null;
  /** Tail of the account that the message is about; null for noise. */
  readonly account: string | null;
  /** The order whose payer moved the money, or that a forger wants to be paid; null for noise and for debits of payouts. */
  readonly order: OrderLife | null;
  /**
   * reworded: a first message's movement in another wording. contradiction: the money that came differs from what the desk
   * supplemented.
   */
  readonly kind:
    | 'first'
    | 'sameId'
    | 'secondTelling'
    | 'reworded'
    | 'contradiction'
    | 'noise'
    | 'debit'
    | 'forged';
  result: ReportResult | null;
}

/** One order of the run: its plan, and what has happened. Amounts in paise. */
export interface OrderLife {
  readonly plan: OrderPlan;
  readonly mchId: string;
  readonly client: MerchantClient;
  readonly mchOrderNo: string;
  created: CreatedOrder | null;
  /** Tail of the account its payer was shown; null until then. */
  account: string | null;
  /** The answer when `create` was refused. */
  refusal: string | null;
  /** What the payer sent; null while nothing was paid. */
  paid: number | null;
  /** The amount that the desk, or the order's own supplier, claimed in a supplement; null without one. */
  said: number | null;
  /** A bug, or a server that did not come back. */
  error: string | null;
  /** The merchant's query at the end. */
  queried: QueriedOrder | null;
}

/** Whether the order must be completed, by the payer's money or by somebody's claim. */
export function mustBeCredited({ created, paid, said, plan }: OrderLife): boolean {
  return created !== null && (said !== null || (paid !== null && plan.payer.pays !== 'wrong'));
}
