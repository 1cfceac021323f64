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
  /** The order whose payer moved the money, or that a forger wants paid; null for noise and for debits of payouts. */
  readonly order: OrderLife | null;
  readonly kind: 'first' | 'sameId' | 'secondTelling' | 'noise' | 'debit' | 'forged';
  result: ReportResult | null;
}

/** One order of the run: what was planned and what has happened. Amounts in paise. */
export interface OrderLife {
  readonly plan: OrderPlan;
  readonly mchId: string;
  readonly client: MerchantClient;
  readonly mchOrderNo: string;
  created: CreatedOrder | null;
  /** Answer of a create that was refused. */
  refusal: string | null;
  /** What the payer sent; null until, or unless, they pay. */
  paid: number | null;
  /** A bug or a server that never came back. */
  error: string | null;
  /** As the merchant's query shows it at the end. */
  queried: QueriedOrder | null;
}

/** Whether the payer's money must complete the order. */
export function mustBeCredited(order: OrderLife): boolean {
  return order.created !== null && order.paid !== null && order.plan.payer.pays !== 'wrong';
}
