import { type Currency, formatMinor, groupUnits } from '@sangam/contract/money.ts';

const SYMBOLS = { INR: '₹', KES: 'KSh ', USDT: '' } as const satisfies Record<Currency, string>;

export interface AmountParts {
  /** Symbol and grouped whole units: `₹1,00,000`. */
  readonly whole: string;
  /** Point and fraction: `.37`. */
  readonly fraction: string;
  /** Text after the digits, for currencies without a symbol. */
  readonly suffix: string;
}

/** Parts of an amount in minor units, so that a page can stress the fraction that identifies a payment. */
export function amountParts(minor: number, currency: Currency): AmountParts {
  const [whole = '', fraction = ''] = formatMinor(minor, currency).split('.');
  return {
    whole: SYMBOLS[currency] + groupUnits(whole, currency),
    fraction: `.${fraction}`,
    suffix: currency === 'USDT' ? ' USDT' : '',
  };
}

/** An amount as people read it: `₹1,00,000.00`. */
export function formatAmount(minor: number, currency: Currency): string {
  const { whole, fraction, suffix } = amountParts(minor, currency);
  return whole + fraction + suffix;
}
