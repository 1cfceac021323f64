import type { endpoints } from 'virtual:endpoints';
import { CURRENCIES, type Currency } from '@sangam/contract/money.ts';
import type { OutputOf } from '../http/call-types.ts';

/** Fees of one product in a month, of payments that were not reversed. Minor units. */
export type FeeLine = OutputOf<typeof endpoints.invoice.getFees>['list'][number];

const MONTHS = 12;

/** The month of `now` and the eleven months before it, newest first. */
export function monthsUntil(now: string): string[] {
  const [year, month] = [Number(now.slice(0, 4)), Number(now.slice(5, 7))];
  return Array.from({ length: MONTHS }, (_, back) => {
    const at = year * 12 + month - 1 - back;
    return `${Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`;
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
