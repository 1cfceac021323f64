/** A reference (UTR) has so many digits at least: banks number transfers, and write 'NA', '-' or 'XXXXXX' for none. */
const LEAST_DIGITS = 3;
/** '000000' and '9999999999' are placeholders as well. */
const LEAST_KINDS = 3;

/** Reference as it was typed, in upper case and without spaces or dashes. */
export function compactReference(text: string): string {
  return text.replace(/[\s-]/g, '').toUpperCase();
}

/**
 * Reference as compared: upper case, no spaces or dashes. A number that may be an RRN has its twelve digits: some banks print more zeros
 * before it, and a table loses those it begins with in a year that ends in 0. Below nine digits is none, for the day of the year is in it.
 */
export function normaliseReference(text: string): string {
  const reference = compactReference(text);
  return /^0*\d{9,12}$/.test(reference) ? reference.replace(/^0+/, '').padStart(12, '0') : reference;
}

/** UPI references have twelve digits. Banks print stranger things, so another form is doubted, never refused. */
export const looksLikeUpi = (reference: string): boolean => /^\d{12}$/.test(reference);

/**
 * A reference as somebody states it: a message, a file, a gateway, a payer or an operator. Null where it is none: a placeholder
 * names no transfer, and the first order that took it would keep it from all others.
 */
export function readReference(text: string | null | undefined): string | null {
  const reference = normaliseReference(text ?? '');
  const isOne =
    /^[A-Z0-9]{6,80}$/.test(reference) &&
    reference.replace(/\D/g, '').length >= LEAST_DIGITS &&
    new Set(reference).size >= LEAST_KINDS;
  return isOne ? reference : null;
}
