import type { Currency } from '@sangam/contract/money.ts';
import type { OrderMark } from '@sangam/contract/orders.ts';
import type { PayoutStatus } from '@sangam/contract/payouts.ts';
import { type Sql, sql } from '../platform/db/database.ts';

/** The payee of a payout. Fields that its product does not need are null. */
export interface Payee {
  readonly name: string | null;
  readonly account: string | null;
  readonly ifsc: string | null;
  readonly bank: string | null;
  readonly vpa: string | null;
  readonly address: string | null;
  readonly phone: string | null;
}

/** A payout order as stored. Amounts in minor units of its currency. */
export interface PayoutOrder {
  readonly id: bigint;
  readonly merchantId: bigint;
  readonly mchOrderNo: string;
  readonly productId: number;
  readonly currency: Currency;
  readonly amount: bigint;
  /** By the merchant's terms at the order's creation. */
  readonly fee: bigint;
  readonly status: PayoutStatus;
  readonly mark: OrderMark;
  /** The supplier that claimed it, or whose batch has it; null while it waits and where a gateway pays. */
  readonly supplierId: bigint | null;
  /** The paying account, where it is known: a batch's, a gateway's, or the one that the supplier has named. */
  readonly accountId: bigint | null;
  readonly payeeName: string | null;
  readonly payeeAccount: string | null;
  readonly payeeIfsc: string | null;
  readonly payeeBank: string | null;
  readonly payeeVpa: string | null;
  readonly payeeAddress: string | null;
  readonly payeePhone: string | null;
  readonly utr: string | null;
  readonly unproven: boolean;
  readonly rejectReason: string | null;
  readonly clientIp: string | null;
  readonly notifyUrl: string | null;
  readonly param1: string | null;
  readonly param2: string | null;
  readonly supplierCommission: bigint | null;
  readonly agentCommission: bigint | null;
  readonly claimedAt: Date | null;
  readonly claimedUntil: Date | null;
  /** The business day on which it counts towards the daily limits of its supplier and account. */
  readonly takenOn: string | null;
  readonly lockedBy: string | null;
  readonly attempt: number;
  readonly sendingSince: Date | null;
  readonly submittedAt: Date | null;
  readonly gatewayRef: string | null;
  readonly finishedAt: Date | null;
  readonly reversedAt: Date | null;
  /** Frozen by an admin, by order of the law, or by the platform: nobody pays it. */
  readonly frozen: boolean;
  readonly legalHold: boolean;
  /** The order or its merchant is frozen: nothing completes the order. */
  readonly held: boolean;
  /** Its supplier or paying account is frozen: the supplier's own statements do not count, and nothing is taken from its deposit. */
  readonly payerHeld: boolean;
  readonly createdAt: Date;
}

/** SQL condition: the payout (alias `o`) or its merchant is frozen. */
export const HELD: Sql = sql`(o.frozen
  or exists (select from merchants held where held.id = o.merchant_id and held.frozen))`;

const PAYER_HELD: Sql = sql`(
  exists (select from suppliers payer where payer.id = o.supplier_id and payer.frozen)
  or exists (select from accounts payer join suppliers owner on owner.id = payer.supplier_id
    where payer.id = o.account_id and (payer.frozen or owner.frozen)))`;

/** Columns of a PayoutOrder, of table alias `o`. */
export const PAYOUT_COLUMNS = sql`
  o.id, o.merchant_id as "merchantId", o.mch_order_no as "mchOrderNo", o.product_id as "productId", o.currency, o.amount,
  o.fee, o.status, o.mark, o.supplier_id as "supplierId", o.account_id as "accountId", o.payee_name as "payeeName", o.payee_account as "payeeAccount",
  o.payee_ifsc as "payeeIfsc", o.payee_bank as "payeeBank", o.payee_vpa as "payeeVpa", o.payee_address as "payeeAddress",
  o.payee_phone as "payeePhone", o.utr, o.unproven, o.reject_reason as "rejectReason", o.client_ip as "clientIp",
  o.notify_url as "notifyUrl", o.param1, o.param2, o.supplier_commission as "supplierCommission",
  o.agent_commission as "agentCommission", o.claimed_at as "claimedAt", o.claimed_until as "claimedUntil", o.taken_on as "takenOn",
  o.locked_by as "lockedBy", o.attempt, o.sending_since as "sendingSince", o.submitted_at as "submittedAt",
  o.gateway_ref as "gatewayRef", o.finished_at as "finishedAt", o.reversed_at as "reversedAt", o.frozen, o.legal_hold as "legalHold",
  ${HELD} as held, ${PAYER_HELD} as "payerHeld", o.created_at as "createdAt"`;
