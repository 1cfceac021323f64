import { amountText, type Currency } from '@sangam/contract/money.ts';

/** A value of several numbers, as some settings have. */
export type Parts = Readonly<Record<string, number>>;

export const isParts = (value: unknown): value is Parts =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((part) => typeof part === 'number');

/** Parts that are sums in minor units: people read and write them in units. */
export const SUMS: Readonly<Record<string, Currency>> = {
  // Sent ×100, whatever the account's currency.
  minReliableCheckAmount: 'INR',
  INR: 'INR',
  KES: 'KES',
  USDT: 'USDT',
};

/** The parts in a line. */
export function partsText(parts: Parts): string {
  return Object.entries(parts)
    .map(([key, part]) => `${key} ${SUMS[key] ? amountText(part, SUMS[key]) : part}`)
    .join(' · ');
}
