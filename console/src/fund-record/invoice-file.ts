import type { endpoints } from 'virtual:endpoints';
import { moneyText } from '../figures/money-text.ts';
import type { RowOf } from '../http/call-types.ts';

export type Invoice = RowOf<typeof endpoints.invoice.getInvoices>;
type Line = Invoice['lines'][number];

/** The texts of an invoice, in its reader's language. */
export interface InvoiceWords {
  readonly language: string;
  readonly title: string;
  readonly issuer: string;
  readonly to: string;
  readonly month: string;
  readonly issueTime: string;
  readonly product: string;
  readonly fee: string;
  readonly taxPercent: string;
  readonly tax: string;
  readonly net: string;
  readonly total: string;
  readonly label: (line: Line) => string;
}

/** `2026-10` */
export const monthText = (month: string): string => month.slice(0, 7);

const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`).replaceAll('\n', '<br>');

/** An invoice as an HTML page of its own, to save and print. */
export function invoiceFile(invoice: Invoice, words: InvoiceWords): string {
  const money = (minor: number) => escaped(moneyText(minor, invoice.currency));
  const facts = [
    [words.issuer, invoice.issuer],
    [words.to, `${invoice.merchantName} (${invoice.merchantId})`],
    [words.month, monthText(invoice.month)],
    [words.issueTime, invoice.issueTime],
  ] as const;
  const rows = invoice.lines.map(
    (line) =>
      `<tr><td>${escaped(words.label(line))}</td><td>${monthText(line.month)}</td><td>${line.taxPercent} %</td>` +
      `<td>${money(line.fee - line.tax)}</td><td>${money(line.tax)}</td><td>${money(line.fee)}</td></tr>`,
  );
  const heads = [words.product, words.month, words.taxPercent, words.net, words.tax, words.fee];
  return `<!doctype html>
<html lang="${words.language}"><meta charset="utf-8"><title>${escaped(`${words.title} ${invoice.number}`)}</title>
<style>body{font:14px sans-serif;max-width:800px;margin:32px auto;padding:0 16px}table{width:100%;border-collapse:collapse;margin-top:24px}
td,th{padding:6px 8px;border-bottom:1px solid #bbb;text-align:right}td:first-child,th:first-child{text-align:left}dt{color:#555;margin-top:8px}dd{margin:0}</style>
<h1>${escaped(`${words.title} ${invoice.number}`)}</h1>
<dl>${facts.map(([label, text]) => `<dt>${escaped(label)}</dt><dd>${escaped(text)}</dd>`).join('')}</dl>
<table><thead><tr>${heads.map((head) => `<th>${escaped(head)}</th>`).join('')}</tr></thead>
<tbody>${rows.join('\n')}</tbody>
<tfoot><tr><th>${escaped(words.total)}</th><th></th><th></th><th>${money(invoice.fee - invoice.tax)}</th><th>${money(invoice.tax)}</th><th>${money(invoice.fee)}</th></tr></tfoot></table>
</html>
`;
}
