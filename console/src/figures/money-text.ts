import { amountText, CURRENCIES, type Currency, groupUnits } from '@sangam/contract/money.ts';

const SYMBOLS: Readonly<Record<Currency, string>> = { INR: '₹', KES: 'KSh ', USDT: '₮ ' };

/**
 * An amount in minor units as text. USDT shows two decimals, and more where the amount has more. `whole` leaves the fraction out,
 * for sums with little room.
 */
export function moneyText(minor: number, currency: Currency, whole = false): string {
  const amount = amountText(Math.abs(minor), currency);
  return `${minor < 0 ? '−' : ''}${SYMBOLS[currency]}${whole ? amount.split('.')[0] : amount}`;
}

/** Units of a shortened sum, the highest first, with the amount (in whole units) from which each is used. */
const STEPS: Readonly<Record<'indian' | 'thousands', readonly (readonly [from: number, name: string])[]>> = {
  indian: [
    [10_000_000, 'Cr'],
    [100_000, 'L'],
  ],
  thousands: [
    [1_000_000_000, 'B'],
    [1_000_000, 'M'],
    [10_000, 'K'],
  ],
};

/** A sum in minor units, shortened: ₹12,34,567.80 as ₹12.34 L. Digits are cut, not rounded, so the text never exceeds the sum. */
export function shortMoneyText(minor: number, currency: Currency): string {
  const units = Math.trunc(Math.abs(minor) / 10 ** CURRENCIES[currency]);
  const step = STEPS[currency === 'INR' ? 'indian' : 'thousands'].find(([from]) => units >= from);
  if (!step) return moneyText(minor, currency, true);
  const [from, name] = step;
  const unit = name === 'K' ? 1_000 : from;
  const hundredths = Math.trunc(units / (unit / 100));
  const [before, after] = [String(Math.trunc(hundredths / 100)), String(hundredths % 100).padStart(2, '0')];
  return `${minor < 0 ? '−' : ''}${SYMBOLS[currency]}${groupUnits(before, currency)}.${after} ${name}`;
}
