import type { getUsdtTransfers as contract } from '@sangam/contract/endpoints/usdt.ts';
import type { Currency } from '@sangam/contract/money.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { empty, sql } from '../../platform/db/database.ts';
import { idFilter, readPage, timeFilter } from '../../platform/db/page.ts';
import type { Platform } from '../../platform/platform.ts';
import { isNamedBy } from '../../order-numbers/references.ts';
import { normaliseReference } from '@sangam/contract/references.ts';
import { isRefusal, type Refusal } from '../../platform/refusal.ts';
import { scopeOf, type Viewer } from '../../platform/viewer.ts';
import type { MessageState } from './message.ts';

interface Row {
  readonly id: bigint;
  readonly resourceId: bigint;
  readonly address: string;
  readonly supplierName: string;
  readonly from: string | null;
  readonly currency: Currency;
  readonly amount: bigint;
  readonly txid: string;
  readonly state: MessageState;
  readonly reason: string | null;
  readonly orderId: bigint | null;
  readonly blockAt: Date;
  readonly receivedAt: Date;
}

const DEFAULT_DAYS = 31;

/** USDT transfers to our addresses, newest first. */
export async function listUsdtTransfers(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof contract.input>,
): Promise<z.input<typeof contract.output> | Refusal> {
  const names = input.txid || input.orderCode;
  const page = await readPage<Row>(platform, input, {
    columns: sql`m.id, m.account_id as "resourceId", a.account_number as address, s.name as "supplierName", m.payer as from,
      m.currency, m.amount, m.utr as txid, m.state, m.reason, m.order_id as "orderId", m.bank_time as "blockAt",
      m.received_at as "receivedAt"`,
    from: sql`
      from messages m join accounts a on a.id = m.account_id join suppliers s on s.id = m.supplier_id
      where m.currency = 'USDT' and m.direction = 'credit' ${scopeOf(viewer, { supplier: sql`m.supplier_id` })}
        ${timeFilter(sql`m.id`, input, platform.clock.now(), names ? null : DEFAULT_DAYS)}
        ${input.supplierId === undefined ? empty : idFilter(sql`m.supplier_id`, input.supplierId)}
        ${input.resourceId === undefined ? empty : idFilter(sql`m.account_id`, input.resourceId)}
        ${input.address ? sql`and a.account_number = ${input.address}` : empty}
        ${input.txid ? sql`and ${isNamedBy(sql`m.utr`, normaliseReference(input.txid))}` : empty}
        ${input.orderCode ? idFilter(sql`m.order_id`, input.orderCode) : empty}
        ${input.state === undefined ? empty : sql`and m.state = ${input.state}`}`,
    key: sql`m.id`,
  });
  if (isRefusal(page)) return page;
  return {
    ...page,
    list: page.list.map(({ orderId, blockAt, receivedAt, ...row }) => ({
      ...row,
      id: String(row.id),
      resourceId: String(row.resourceId),
      amount: Number(row.amount),
      orderCode: orderId === null ? null : String(orderId),
      blockTime: formatTime(blockAt),
      receivedTime: formatTime(receivedAt),
    })),
  };
}
