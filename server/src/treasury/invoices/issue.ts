import type { Currency } from '@sangam/contract/money.ts';
import type { Direction } from '@sangam/contract/products.ts';
import { businessDay, parseTime } from '@sangam/contract/time.ts';
import { HOUR } from '../../platform/clock.ts';
import { type Tx, sql } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { FEES } from './fees.ts';
import { financialYearOf, monthAfter, monthOf } from './months.ts';
import { containedTax } from './tax.ts';

/** A month is invoiced this long after its end: orders that were under way at its end are in the sums by then. */
const AFTER_END = 2 * HOUR;

interface Line {
  readonly merchantId: bigint;
  readonly merchantName: string;
  readonly currency: Currency;
  readonly month: string;
  readonly direction: Direction;
  readonly productId: number;
  readonly fee: bigint;
  readonly taxPercent: number;
}

/** Issues the invoices of every month that is over and has none. Does nothing while the setting InvoiceIssuer is empty. */
export async function issueInvoices(platform: Platform): Promise<void> {
  const { InvoiceIssuer, InvoiceTaxPercent } = await platform.settings.all();
  const issuer = InvoiceIssuer.trim();
  if (issuer === '') return;
  const now = platform.clock.now();
  let isLeft = true;
  while (isLeft)
    isLeft = await platform.db.tx(async (tx) => {
      const month = await dueMonth(tx, now);
      if (month === undefined) return false;
      // Waits for another node that issues this month, and then finds it issued.
      const begun = await tx.query(sql`
        insert into invoice_months (month, tax_percent, issuer, issued_at) values (${month}, ${InvoiceTaxPercent}, ${issuer}, ${now})
        on conflict do nothing returning month`);
      if (begun.length > 0) await writeInvoices(platform, tx, month, now);
      return begun.length > 0;
    });
}

/** The month after the last invoiced one (the first time: the last that is due), once it is due and in the statistics. Undefined before that. */
async function dueMonth(tx: Tx, now: Date): Promise<string | undefined> {
  const [last] = await tx.query<{ month: string | null }>(
    sql`select max(month) as month from invoice_months`,
  );
  const dueAt = new Date(now.getTime() - AFTER_END);
  const month = monthAfter(last!.month ?? monthAfter(monthOf(businessDay(dueAt)), -2));
  const end = parseTime(monthAfter(month))!;
  if (dueAt < end) return undefined;
  const [summed] = await tx.query<{ upTo: boolean }>(sql`
    select not exists (select from statistics_changes) or as_of >= ${end} as "upTo" from statistics_state`);
  return summed!.upTo ? month : undefined;
}

async function writeInvoices(platform: Platform, tx: Tx, month: string, now: Date): Promise<void> {
  const lines = await openLines(tx, month);
  const year = financialYearOf(businessDay(now));
  const [last] = await tx.query<{ number: number }>(
    sql`select coalesce(max(number), 0) as number from invoices where year = ${year}`,
  );
  const invoices = [
    ...Map.groupBy(lines, ({ merchantId, currency }) => `${merchantId}/${currency}`).values(),
  ];
  for (const [index, own] of invoices.entries()) {
    const id = platform.ids.next(now);
    const { merchantId, merchantName, currency } = own[0]!;
    const taxed = own.map((line) => ({ ...line, tax: containedTax(line.fee, line.taxPercent) }));
    const sum = (of: 'fee' | 'tax') => taxed.reduce((total, line) => total + line[of], 0n);
    await tx.query(sql`
      insert into invoices (id, merchant_id, merchant_name, month, currency, year, number, fee, tax)
      values (${id}, ${merchantId}, ${merchantName}, ${month}, ${currency}, ${year}, ${last!.number + index + 1}, ${sum('fee')}, ${sum('tax')})`);
    for (const { month: feeMonth, direction, productId, fee, tax } of taxed)
      tx.send(sql`
        insert into invoice_lines (invoice_id, fee_month, direction, product_id, fee, tax)
        values (${id}, ${feeMonth}, ${direction}, ${productId}, ${fee}, ${tax})`);
  }
}

/**
 * The fees of this month and of all invoiced months as they are now, less what was invoiced: this month's fees, and what was reversed of
 * earlier months since.
 */
function openLines(tx: Tx, month: string): Promise<Line[]> {
  return tx.query<Line>(sql`
    select merchant_id as "merchantId", p.name as "merchantName", currency, m.month, direction, product_id as "productId",
      coalesce(s.fee, 0) - coalesce(b.fee, 0) as fee, m.tax_percent as "taxPercent"
    from (
      select f.merchant_id, f.currency, date_trunc('month', f.day)::date as month, f.direction, f.product_id, sum_bigint(f.fee) as fee
      from ${FEES} f
      where f.day >= (select min(month) from invoice_months) and f.day < ${monthAfter(month)}::date
      group by 1, 2, 3, 4, 5
    ) s full join (
      select i.merchant_id, i.currency, l.fee_month as month, l.direction, l.product_id, sum_bigint(l.fee) as fee
      from invoices i join invoice_lines l on l.invoice_id = i.id group by 1, 2, 3, 4, 5
    ) b using (merchant_id, currency, month, direction, product_id)
    join invoice_months m using (month) join merchants p on p.id = merchant_id
    where coalesce(s.fee, 0) <> coalesce(b.fee, 0)
    order by merchant_id, currency, m.month, direction, product_id`);
}
