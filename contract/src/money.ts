/** The decimal digits of each currency's minor unit. Amounts are integers in minor units everywhere, never floats. */
export const CURRENCIES = { INR: 2, KES: 2, USDT: 6 } as const;

export type Currency = keyof typeof CURRENCIES;

/**
 * Decimal text of an amount in minor units, without grouping: `formatMinor(123450n, 'INR')` is `1234.50`.
 */
export function formatMinor(minor: bigint | number, currency: Currency): string {
  const digits = CURRENCIES[currency];
  const value = BigInt(minor);
  const sign = value < 0n ? '-' : '';
  const text = (value < 0n ? -value : value).toString().padStart(digits + 1, '0');
  return `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** Digits with separators: 12,34,567 (lakh and crore) for rupees, 1,234,567 for all others. */
export function groupUnits(units: string, currency: Currency): string {
  return units.replace(currency === 'INR' ? /\B(?=(?:\d{2})*\d{3}$)/g : /\B(?=(?:\d{3})+$)/g, ',');
}

/**
 * An amount in minor units as people read it in a sentence, without its currency: `amountText(123456750n, 'INR')` is
 * `12,34,567.50`. Two decimals are always shown; of further decimals, trailing zeros are left out.
 */
export function amountText(minor: bigint | number, currency: Currency): string {
  const [units = '0', fraction = ''] = formatMinor(minor, currency).split('.');
  return `${groupUnits(units, currency)}.${fraction.slice(0, 2)}${fraction.slice(2).replace(/0+$/, '')}`;
}

/**
 * Merchant API scale: amounts are in hundredths; for the USDT products in ten-thousandths of a USDT.
 * Returns the factor from that unit to the currency's minor unit.
 */
export function merchantAmountFactor(currency: Currency): bigint {
  return currency === 'USDT' ? 100n : 1n;
}

/** List filters send amounts as the decimal value plus this number, as existing clients do against float truncation. */
export const FILTER_OFFSET = 0.0001;

/**
 * An amount that a list is filtered by, in the currency's minor units. With two decimals rounding removes the offset, which may
 * be missing. With more decimals the offset is subtracted, so that 25.3456 USDT are found as 25.3456.
 */
export function filterAmountToMinor(value: number, currency: Currency): bigint {
  const decimals = CURRENCIES[currency];
  const exact = decimals > 2 ? value - FILTER_OFFSET : value;
  return BigInt(Math.round(exact * 10 ** decimals));
}

/**
 * One end of a range of amounts, written as a decimal, in the currency's minor units. With more digits than the currency has it
 * is rounded inwards, so that nothing outside the range is found.
 */
export function boundToMinor(decimal: string, currency: Currency, end: 'from' | 'to'): bigint {
  const digits = CURRENCIES[currency];
  const [units = '0', fraction = ''] = decimal.split('.');
  const minor = BigInt(units + fraction.slice(0, digits).padEnd(digits, '0'));
  return end === 'from' && /[1-9]/.test(fraction.slice(digits)) ? minor + 1n : minor;
}

/**
 * The most that a supplier or an agent earns on one order, in parts per million of its amount. Commissions are paid out of the
 * merchant's fee; a commission above the fee is a loss of the platform on every order. Fees in this business are a few percent;
 * more is a typing error.
 */
export const MOST_COMMISSION_PPM = 100_000;
