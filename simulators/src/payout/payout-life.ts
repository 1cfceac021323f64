import type { ConsoleClient } from '../console/console-client.ts';
import type { MerchantClient, QueriedOrder } from '../merchant/merchant-client.ts';
import type { WatchedAccount } from '../monitor/phones.ts';
import type { PayoutPlan } from './payout-plan.ts';

/** A supplier who pays out from its own bank accounts. */
export interface PayingSupplier {
  readonly console: ConsoleClient;
  readonly accounts: readonly WatchedAccount[];
}

/** One payout of the run: what was planned and what has happened. Amounts in paise. */
export interface PayoutLife {
  readonly plan: PayoutPlan;
  readonly mchId: string;
  readonly client: MerchantClient;
  readonly mchOrderNo: string;
  orderCode: string | null;
  refusal: string | null;
  /** What a supplier's bank moved to the payee, and by which reference. */
  paid: { readonly amount: number; readonly utr: string } | null;
  /** Of two who claimed at once: how many were given it. */
  claimsWon: number | null;
  error: string | null;
  /** As the merchant's query shows it at the end. */
  queried: QueriedOrder | null;
  /** As the desk sees it at the end. */
  row: { readonly orderStatusId: number; readonly unproven?: boolean } | null;
}

/** Whether the payee must have been paid in the end, or the merchant refunded. */
export function mustBePaid({ plan }: PayoutLife): boolean {
  return plan.course !== 'rejected' && plan.course !== 'cancelled';
}
