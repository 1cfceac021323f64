import type { Currency } from './money.ts';

/** A reference (UTR) has at least this many digits: banks number transfers, and write 'NA', '-' or 'XXXXXX' when there is no number. */
const LEAST_DIGITS = 3;
/** At least this many different characters: '000000' and '9999999999' are placeholders too. */
const LEAST_KINDS = 3;
/**
 * A receipt of M-Pesa: year, month and day in one character each, then seven that are drawn from letters and digits. More than half of all
 * receipts have fewer than three digits, one in fourteen has none.
 */
const MPESA_RECEIPT = /^[A-Z][A-L][1-9A-V][A-Z0-9]{7}$/;

/** A reference as it was typed, in upper case, without spaces and dashes. */
export function compactReference(text: string): string {
  return text.replace(/[\s-]/g, '').toUpperCase();
}

/**
 * A reference in the form that is compared: upper case, no spaces or dashes. A number that may be an RRN gets twelve digits,
 * because some banks print more zeros before it, and a spreadsheet drops its first zeros in a year that ends in 0. Fewer than
 * nine digits are no RRN, because it contains the day of the year.
 */
export function normaliseReference(text: string): string {
  const reference = compactReference(text);
  return /^0*\d{9,12}$/.test(reference) ? reference.replace(/^0+/, '').padStart(12, '0') : reference;
}

export const isTransactionId = (reference: string): boolean => /^[0-9A-F]{64}$/.test(reference);

/**
 * The id of a TRON transaction, of the reference of a transfer that is not its first (`TXIDL2`). Payers know only this id. Null for any other
 * reference.
 */
export const transactionOf = (reference: string): string | null =>
  /^([0-9A-F]{64})L\d{1,4}$/.exec(reference)?.[1] ?? null;

/** What a person may state of the transfer with this reference: the reference, or the id of its TRON transaction. */
export const namesOf = (reference: string): string[] => [reference, transactionOf(reference) ?? []].flat();

/** UPI references have twelve digits. Banks also print other forms, so another form is doubted, not refused. */
export const looksLikeUpi = (reference: string): boolean => /^\d{12}$/.test(reference);

/**
 * A reference as somebody states it: a message, a file, a gateway, a payer or an operator. Null when it is none. A placeholder
 * names no transfer, and if an order claimed it, no other order could. A receipt of M-Pesa without any digit may be a word, and counts only
 * where the currency says that it is none.
 */
export function readReference(text: string | null | undefined, currency?: Currency): string | null {
  const reference = normaliseReference(text ?? '');
  const least = !MPESA_RECEIPT.test(reference) ? LEAST_DIGITS : currency === 'KES' ? 0 : 1;
  const isOne =
    /^[A-Z0-9]{6,80}$/.test(reference) &&
    reference.replace(/\D/g, '').length >= least &&
    new Set(reference).size >= LEAST_KINDS;
  return isOne ? reference : null;
}
