import type { CreatedOrder, MerchantClient, QueriedOrder } from './merchant/merchant-client.ts';
import type { ReportResult } from './monitor/monitor-client.ts';
import type { OrderPlan } from './plan.ts';

/** A bank message of the run and what the server said it became. */
export interface SentMessage {
  readonly messageId: string;
  readonly sender: string;
  readonly text: string;
  /** Paise; null for noise. */
  readonly amount: number | null;
  /** Tail of the account it tells of; null for noise. */
  readonly account: string | null;
  /** The order whose payer moved the money, or that a forger wants paid; null for noise and for debits of payouts. */
  readonly order: OrderLife | null;
  /** reworded: the movement of a first one, in another wording; contradiction: what the desk supplemented is not what came. */
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

/** One order of the run: what was planned and what has happened. Amounts in paise. */
export interface OrderLife {
  readonly plan: OrderPlan;
  readonly mchId: string;
  readonly client: MerchantClient;
  readonly mchOrderNo: string;
  created: CreatedOrder | null;
  /** Tail of the account its payer was shown; null until then. */
  account: string | null;
  /** Answer of a create that was refused. */
  refusal: string | null;
  /** What the payer sent; null until, or unless, they pay. */
  paid: number | null;
  /** What the desk, or its own supplier, said was paid when it supplemented the order; null where nobody did. */
  said: number | null;
  /** A bug or a server that never came back. */
  error: string | null;
  /** As the merchant's query shows it at the end. */
  queried: QueriedOrder | null;
}

/** Whether the payer's money, or somebody's word, must complete the order. */
export function mustBeCredited({ created, paid, said, plan }: OrderLife): boolean {
  return created !== null && (said !== null || (paid !== null && plan.payer.pays !== 'wrong'));
}
