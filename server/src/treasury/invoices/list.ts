import type { getInvoices } from '@sangam/contract/endpoints/invoice.ts';
import type { Currency } from '@sangam/contract/money.ts';
import type { Direction } from '@sangam/contract/products.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { empty, sql } from '../../platform/db/database.ts';
import { idFilter, readPage } from '../../platform/db/page.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, type Refusal } from '../../platform/refusal.ts';
import { scopeOf, type Viewer } from '../../platform/viewer.ts';
import { invoiceNumber } from './months.ts';

interface Row {
  readonly id: bigint;
  readonly year: number;
  readonly number: number;
  readonly month: string;
  readonly merchantId: bigint;
  readonly merchantName: string;
  readonly issuer: string;
  readonly currency: Currency;
  readonly fee: bigint;
  readonly tax: bigint;
  readonly issuedAt: Date;
}

interface LineRow {
  readonly invoiceId: bigint;
  readonly month: string;
  readonly direction: Direction;
  readonly productId: number;
  readonly productName: string;
  readonly taxPercent: number;
  readonly fee: bigint;
  readonly tax: bigint;
}

/** Invoices of the merchants the viewer may see, newest first, with their lines. */
export async function listInvoices(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof getInvoices.input>,
): Promise<z.input<typeof getInvoices.output> | Refusal> {
  const page = await readPage<Row>(platform, input, {
    columns: sql`i.id, i.year, i.number, i.month, i.merchant_id as "merchantId", i.merchant_name as "merchantName", m.issuer, i.currency,
      i.fee, i.tax, m.issued_at as "issuedAt"`,
    from: sql`from invoices i join invoice_months m on m.month = i.month
      where true ${scopeOf(viewer, { merchant: sql`i.merchant_id` })}
        ${input.merchantId === undefined ? empty : idFilter(sql`i.merchant_id`, input.merchantId)}`,
    key: sql`i.id`,
  });
  if (isRefusal(page)) return page;
  const lines = await platform.db.query<LineRow>(sql`
    select l.invoice_id as "invoiceId", l.fee_month as month, l.direction, l.product_id as "productId",
      coalesce(p.name, '') as "productName", m.tax_percent as "taxPercent", l.fee, l.tax
    from invoice_lines l join invoice_months m on m.month = l.fee_month left join products p on p.id = l.product_id
    where l.invoice_id = any(${page.list.map(({ id }) => id)})
    order by l.fee_month desc, l.direction, l.product_id`);
  const linesOf = Map.groupBy(lines, ({ invoiceId }) => invoiceId);
  return {
    ...page,
    list: page.list.map(({ year, number, issuedAt, ...row }) => ({
      ...row,
      id: String(row.id),
      number: invoiceNumber(year, number),
      merchantId: String(row.merchantId),
      fee: Number(row.fee),
      tax: Number(row.tax),
      issueTime: formatTime(issuedAt),
      lines: (linesOf.get(row.id) ?? []).map(({ invoiceId: _, ...line }) => ({
        ...line,
        fee: Number(line.fee),
        tax: Number(line.tax),
      })),
    })),
  };
}
