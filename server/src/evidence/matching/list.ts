import type { z } from 'zod';
import type { getBankStatementList } from '@sangam/contract/endpoints/party.ts';
import { verdictOf } from '@sangam/contract/evidence.ts';
import type { Currency } from '@sangam/contract/money.ts';
import { seesWhole } from '@sangam/contract/personal-data.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { type Sql, empty, sql } from '../../platform/db/database.ts';
import { amountFilter, idFilter, readPage, timeFilter } from '../../platform/db/page.ts';
import { maskText } from '../../platform/masking.ts';
import type { Platform } from '../../platform/platform.ts';
import { isNamedBy } from '../../order-numbers/references.ts';
import { normaliseReference } from '@sangam/contract/references.ts';
import { isRefusal, type Refusal } from '../../platform/refusal.ts';
import { scopeOf, type Viewer } from '../../platform/viewer.ts';

type Input = z.output<typeof getBankStatementList.input>;
type Output = z.input<typeof getBankStatementList.output>;

interface Row {
  readonly id: bigint;
  readonly monitorId: bigint;
  readonly accountId: bigint | null;
  readonly accountName: string | null;
  readonly supplierName: string | null;
  readonly bank: string | null;
  readonly sender: string;
  readonly text: string;
  readonly direction: 'credit' | 'debit' | null;
  readonly currency: Currency | null;
  readonly amount: bigint | null;
  readonly balance: bigint | null;
  readonly utr: string | null;
  readonly payer: string | null;
  readonly state: string;
  readonly reason: string | null;
  /** The evidence that joined the message to its order. */
  readonly evidence: string | null;
  readonly orderId: bigint | null;
  readonly bankTime: Date | null;
  readonly receivedAt: Date;
  readonly reportedAt: Date;
}

const DEFAULT_DAYS = 31;

/** Bank messages, newest first; only those of `kind` if it is given. */
export async function listBankStatements(
  platform: Platform,
  viewer: Viewer,
  input: Input,
  kind?: 'web',
): Promise<Output | Refusal> {
  const page = await readPage<Row>(platform, input, {
    columns: sql`m.id, m.monitor_id as "monitorId", m.account_id as "accountId", a.bank || ' ' || a.account_tail as "accountName",
      s.name as "supplierName", m.bank, m.sender, m.text, m.direction, m.currency, m.amount, m.balance, m.utr, m.payer,
      m.state, m.reason, mm.evidence, m.order_id as "orderId", m.bank_time as "bankTime", m.received_at as "receivedAt",
      m.reported_at as "reportedAt"`,
    from: sql`
      from messages m left join accounts a on a.id = m.account_id left join suppliers s on s.id = m.supplier_id
        left join message_matches mm on mm.message_id = m.id
      where true ${scopeOf(viewer, { supplier: sql`m.supplier_id` })} ${filters(input, platform.clock.now())}
        ${kind === undefined ? empty : sql`and m.kind = ${kind}`}`,
    key: sql`m.id`,
  });
  if (isRefusal(page)) return page;
  return { ...page, list: page.list.map((row) => shape(row, viewer)) };
}

function filters(input: Input, now: Date): Sql {
  // A reference or an order finds few rows through an index, so these searches have no default time limit.
  const defaultDays = input.utr || input.orderCode ? null : DEFAULT_DAYS;
  return sql`
    ${timeFilter(sql`m.id`, input, now, defaultDays)}
    ${input.supplierId === undefined ? empty : idFilter(sql`m.supplier_id`, input.supplierId)}
    ${input.resourceId === undefined ? empty : idFilter(sql`m.account_id`, input.resourceId)}
    ${input.monitorId === undefined ? empty : idFilter(sql`m.monitor_id`, input.monitorId)}
    ${input.state ? sql`and m.state = ${input.state}` : empty}
    ${input.direction === undefined ? empty : sql`and m.direction = ${input.direction}`}
    ${input.bank ? sql`and strpos(lower(m.bank), ${input.bank.toLowerCase()}) > 0` : empty}
    ${input.utr ? sql`and ${isNamedBy(sql`m.utr`, normaliseReference(input.utr))}` : empty}
    ${input.orderCode ? idFilter(sql`m.order_id`, input.orderCode) : empty}
    ${input.amount === undefined ? empty : amountFilter(sql`m.amount`, sql`m.currency`, input.amount)}`;
}

function shape(row: Row, viewer: Viewer): Output['list'][number] {
  const shown = (text: string) => (seesWhole(viewer, 'text') ? text : maskText(text, row.utr));
  const { reason: verdict, confidence } = verdictOf(row.state, row.reason, row.evidence);
  const amount = (minor: bigint | null) => (minor === null ? null : Number(minor));
  return {
    id: String(row.id),
    monitorId: String(row.monitorId),
    resourceId: row.accountId === null ? null : String(row.accountId),
    accountName: row.accountName,
    supplierName: row.supplierName,
    bank: row.bank,
    // The sender may be a person's phone number.
    sender: shown(row.sender),
    text: shown(row.text),
    direction: row.direction,
    currency: row.currency,
    amount: amount(row.amount),
    balance: amount(row.balance),
    utr: row.utr,
    payer: row.payer === null ? null : shown(row.payer),
    state: row.state,
    reason: row.reason,
    verdict,
    confidence,
    orderCode: row.orderId === null ? null : String(row.orderId),
    bankTime: row.bankTime && formatTime(row.bankTime),
    receivedTime: formatTime(row.receivedAt),
    reportedTime: formatTime(row.reportedAt),
  };
}
