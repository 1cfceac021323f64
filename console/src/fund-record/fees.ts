import type { endpoints } from 'virtual:endpoints';
import { CURRENCIES, type Currency } from '@sangam/contract/money.ts';
import type { OutputOf } from '../http/call-types.ts';

type Row = OutputOf<typeof endpoints.statistics.getTable>['list'][number];

/** Fees of one product in a month, of payments that were not reversed. Minor units. */
export interface FeeLine {
  readonly currency: Currency;
  readonly productId: number;
  readonly productName: string;
  readonly paid: number;
  readonly amount: number;
  readonly fee: number;
}

const MONTHS = 12;

/** The month of `now` and the eleven months before it, newest first. */
export function monthsUntil(now: string): string[] {
  const [year, month] = [Number(now.slice(0, 4)), Number(now.slice(5, 7))];
  return Array.from({ length: MONTHS }, (_, back) => {
    const at = year * 12 + month - 1 - back;
    return `${Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`;
  });
}

/** First and last moment of a month. */
export function spanOf(month: string): { readonly startTime: string; readonly endTime: string } {
  const [year, number] = month.split('-').map(Number);
  const days = new Date(Date.UTC(year!, number!, 0)).getUTCDate();
  return { startTime: `${month}-01 00:00:00`, endTime: `${month}-${days} 23:59:59` };
}

/** Products that took a fee or moved money. */
export function feeLines(
  rows: readonly Pick<Row, 'currency' | 'productId' | 'name' | 'measures'>[],
): FeeLine[] {
  return rows.flatMap(({ currency, productId, name, measures }) => {
    const line = {
      currency,
      productId: productId ?? 0,
      productName: name ?? '',
      paid: (measures.paid ?? 0) - (measures.reversed ?? 0),
      amount: measures.netPaidAmount ?? 0,
      fee: measures.fee ?? 0,
    };
    return line.fee === 0 && line.amount === 0 ? [] : [line];
  });
}

/** The rows of the fees' file; amounts are decimals without grouping. */
export function feeTable(lines: readonly FeeLine[], label: (line: FeeLine) => string): string[][] {
  return [
    ['currency', 'product', 'orders', 'amount', 'fee'],
    ...lines.map((line) => [
      line.currency,
      label(line),
      String(line.paid),
      decimal(line.amount, line.currency),
      decimal(line.fee, line.currency),
    ]),
  ];
}

function decimal(minor: number, currency: Currency): string {
  const digits = CURRENCIES[currency];
  const text = String(Math.abs(minor)).padStart(digits + 1, '0');
  return `${minor < 0 ? '-' : ''}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
