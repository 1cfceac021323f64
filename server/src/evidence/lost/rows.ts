import type { getLostMoney, getLostOrders } from '@sangam/contract/endpoints/lost.ts';
import { verdictOf } from '@sangam/contract/evidence.ts';
import type { Currency } from '@sangam/contract/money.ts';
import { ORDER_MARK, type CollectionStatus, type OrderMark } from '@sangam/contract/orders.ts';
import { seesWhole } from '@sangam/contract/personal-data.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { familiesOf } from '../../order-numbers/references.ts';
import { sql } from '../../platform/db/database.ts';
import { maskName, maskText } from '../../platform/masking.ts';
import type { Viewer } from '../../platform/viewer.ts';

/** A credit, as the lists of lost money and of pairs read and show it. Amounts in minor units. */
export interface Money {
  readonly id: bigint;
  readonly kind: string;
  readonly accountId: bigint | null;
  readonly accountName: string | null;
  readonly supplierName: string | null;
  readonly sender: string;
  readonly text: string;
  readonly currency: Currency;
  readonly amount: bigint;
  readonly utr: string | null;
  readonly bookedOrderId: bigint | null;
  readonly payer: string | null;
  readonly state: string;
  readonly reason: string | null;
  readonly movedAt: Date;
}

/** Credits that may still complete an order. The index messages_lost has the same list of states. */
export const MONEY_FROM = sql`
  from messages m left join accounts a on a.id = m.account_id left join suppliers s on s.id = m.supplier_id
  where m.direction = 'credit' and m.state in ('unmatched', 'ambiguous', 'held', 'untrusted')
    and m.amount is not null and m.currency is not null`;

export const MONEY_COLUMNS = sql`
  m.id, m.kind, m.account_id as "accountId", a.bank || ' ' || a.account_tail as "accountName", s.name as "supplierName",
  m.sender, m.text, m.currency, m.amount, m.utr, m.payer, m.state, m.reason,
  (select o.id from utr_uses u join collection_orders o on o.id = u.order_id
    where u.utr = m.utr and u.family = any(${familiesOf(sql`m.currency`)}) limit 1) as "bookedOrderId",
  case when m.time_precision in ('second', 'minute') then m.bank_time else m.received_at end as "movedAt"`;

export interface Order {
  readonly id: bigint;
  readonly merchantName: string;
  readonly accountId: bigint | null;
  readonly accountName: string | null;
  readonly supplierName: string | null;
  readonly status: CollectionStatus;
  readonly currency: Currency;
  readonly amount: bigint;
  readonly payable: bigint | null;
  readonly identifyCode: string;
  readonly payerUtr: string | null;
  readonly userName: string | null;
  readonly mark: OrderMark;
  readonly allocatedAt: Date | null;
  readonly expiresAt: Date | null;
  readonly createdAt: Date;
}

export const ORDER_JOINS = sql`
  join merchants me on me.id = o.merchant_id left join accounts a on a.id = o.account_id
  left join suppliers s on s.id = o.supplier_id`;

export const ORDER_COLUMNS = sql`
  o.id, me.name as "merchantName", o.account_id as "accountId", a.bank || ' ' || a.account_tail as "accountName",
  s.name as "supplierName", o.status, o.currency, o.amount, o.payable, o.identify_code as "identifyCode",
  o.payer_utr as "payerUtr", o.user_name as "userName", o.mark, o.allocated_at as "allocatedAt",
  o.expires_at as "expiresAt", o.created_at as "createdAt"`;

export function showMoney(row: Money, viewer: Viewer): z.input<typeof getLostMoney.output>['list'][number] {
  const shown = (text: string) => (seesWhole(viewer, 'text') ? text : maskText(text, row.utr));
  const { reason, confidence } = verdictOf(row.state, row.reason, null);
  return {
    id: String(row.id),
    kind: row.kind,
    resourceId: row.accountId === null ? null : String(row.accountId),
    accountName: row.accountName,
    supplierName: row.supplierName,
    sender: shown(row.sender),
    text: shown(row.text),
    currency: row.currency,
    amount: Number(row.amount),
    utr: row.utr,
    bookedOrderCode: row.bookedOrderId === null ? null : String(row.bookedOrderId),
    payer: row.payer === null ? null : shown(row.payer),
    state: row.state,
    verdict: reason,
    confidence,
    movedTime: formatTime(row.movedAt),
  };
}

export function showOrder(row: Order, viewer: Viewer): z.input<typeof getLostOrders.output>['list'][number] {
  return {
    orderCode: String(row.id),
    merchantName: row.merchantName,
    resourceId: row.accountId === null ? null : String(row.accountId),
    accountName: row.accountName,
    supplierName: row.supplierName,
    orderStatusId: row.status,
    currency: row.currency,
    amount: Number(row.amount),
    payableAmount: row.payable === null ? null : Number(row.payable),
    payerUtr: row.payerUtr,
    userName: seesWhole(viewer, 'payerName') ? row.userName : maskName(row.userName),
    marked: row.mark === ORDER_MARK.fillIn,
    createTime: formatTime(row.createdAt),
  };
}
