import { CURRENCIES, formatMinor, type Currency } from '@sangam/contract/money.ts';

const SYMBOLS: Readonly<Record<Currency, string>> = { INR: '₹', KES: 'KSh ', USDT: '₮ ' };

/** 1234567 → 12,34,567 (lakh and crore), as Indian operators read rupees. */
const groupIndian = (whole: string) => whole.replace(/\B(?=(?:\d{2})*\d{3}$)/g, ',');

const groupThousands = (whole: string) => whole.replace(/\B(?=(?:\d{3})+$)/g, ',');

/**
 * Amount in minor units as an operator reads it; USDT shows two digits and as many more as it has. `whole` leaves
 * the fraction out, for sums shown where there is little room.
 */
export function moneyText(minor: number, currency: Currency, whole = false): string {
  const [units = '0', fraction = ''] = formatMinor(Math.abs(minor), currency).split('.');
  const digits = CURRENCIES[currency] > 2 ? fraction.replace(/0+$/, '').padEnd(2, '0') : fraction;
  const grouped = currency === 'INR' ? groupIndian(units) : groupThousands(units);
  return `${minor < 0 ? '−' : ''}${SYMBOLS[currency]}${grouped}${whole ? '' : `.${digits}`}`;
}
