import type { Currency } from '@sangam/contract/money.ts';
import type { CollectionStatus, OrderMark } from '@sangam/contract/orders.ts';
import { sql } from '../platform/db/database.ts';

/** A collection order as stored. Amounts in minor units of its currency. */
export interface CollectionOrder {
  readonly id: bigint;
  readonly merchantId: bigint;
  readonly mchOrderNo: string;
  readonly productId: number;
  readonly currency: Currency;
  readonly amount: bigint;
  /** The exact amount the payer is asked for; null until allocated. */
  readonly payable: bigint | null;
  /** The amount that arrived; null until paid. */
  readonly received: bigint | null;
  readonly status: CollectionStatus;
  readonly supplementStatus: 0 | 1;
  readonly mark: OrderMark;
  readonly supplierId: bigint | null;
  readonly accountId: bigint | null;
  readonly identifyCode: string;
  readonly clientIp: string | null;
  readonly userName: string | null;
  /** UTR the payer typed on the payment page. */
  readonly payerUtr: string | null;
  readonly utr: string | null;
  readonly notifyUrl: string;
  readonly returnUrl: string | null;
  readonly subject: string | null;
  readonly body: string | null;
  readonly param1: string | null;
  readonly param2: string | null;
  readonly merchantRatePpm: number;
  readonly merchantFixedFee: bigint;
  readonly fee: bigint | null;
  readonly supplierCommission: bigint | null;
  readonly agentCommission: bigint | null;
  readonly allocatedAt: Date | null;
  readonly expiresAt: Date | null;
  readonly paidAt: Date | null;
  readonly reversedAt: Date | null;
  /** Frozen by an admin or by a legal hold: no evidence completes it by itself. */
  readonly frozen: boolean;
  readonly legalHold: boolean;
  readonly createdAt: Date;
}

/** Columns of a CollectionOrder, of table alias `o`. */
export const ORDER_COLUMNS = sql`
  o.id, o.merchant_id as "merchantId", o.mch_order_no as "mchOrderNo", o.product_id as "productId", o.currency,
  o.amount, o.payable, o.received, o.status, o.supplement_status as "supplementStatus", o.mark,
  o.supplier_id as "supplierId", o.account_id as "accountId", o.identify_code as "identifyCode",
  o.client_ip as "clientIp", o.user_name as "userName", o.payer_utr as "payerUtr", o.utr,
  o.notify_url as "notifyUrl", o.return_url as "returnUrl", o.subject, o.body, o.param1, o.param2,
  o.merchant_rate_ppm as "merchantRatePpm", o.merchant_fixed_fee as "merchantFixedFee", o.fee,
  o.supplier_commission as "supplierCommission", o.agent_commission as "agentCommission",
  o.allocated_at as "allocatedAt", o.expires_at as "expiresAt", o.paid_at as "paidAt",
  o.reversed_at as "reversedAt", o.frozen, o.legal_hold as "legalHold", o.created_at as "createdAt"`;
