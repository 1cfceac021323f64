/** How personal data looks to viewers who do not own it (docs/domain.md#masking). */

export function maskAccountNumber(accountNumber: string): string {
  return `**** ${accountNumber.slice(-4)}`;
}

/** `a***@bank` */
export function maskVpa(vpa: string): string {
  return vpa.replace(VPA, (run: string, first?: string, bank?: string) =>
    bank === undefined ? run : `${first}***@${bank}`,
  );
}

/** `T***Ab3d`: enough to tell two addresses apart. */
export function maskAddress(address: string): string {
  return `${address.slice(0, 1)}***${address.slice(-4)}`;
}

export function maskPhone(phone: string): string {
  return `*******${phone.slice(-3)}`;
}

/** First letters only: `R*** K***`. */
export function maskName(name: string | null): string | null {
  return name === null ? null : name.replace(/(\p{L})[\p{L}\p{M}.'-]*/gu, '$1***');
}

/** A payee as somebody typed it, name and number in any order: `R*** K*** **** 5678`. Short numbers are hidden whole. */
export function maskPayee(text: string): string {
  return text.replace(/[\p{L}\p{M}\p{N}.'-]+/gu, (word) => {
    if (!/\p{N}/u.test(word)) return maskName(word)!;
    if (word.length < SHORTEST_NUMBER) return '***';
    return /\p{L}/u.test(word) ? maskAddress(word) : maskAccountNumber(word);
  });
}
/** Of a shorter number the last four digits would be most of it. */
const SHORTEST_NUMBER = 8;

/**
 * Matches every run of these letters as a whole, whether it is a VPA or not. A pattern that needs an @ would start again at each letter of
 * a long run.
 */
const VPA = /[._-]+|([A-Za-z0-9])[A-Za-z0-9._-]*(?:@([A-Za-z][A-Za-z0-9.]*))?/g;

/**
 * Mobile numbers of India and Kenya, with or without country code. The number must not be part of a longer run of digits (UPI references
 * have 12) or the whole-rupee part of an amount.
 */
const PHONE = /(?<![\d.,])(?:\+?91[- ]?|\+?254[- ]?|0)?(?:[6-9]\d{9}|(?<=254[- ]?|0)[17]\d{8})(?!\d|[.,]\d)/g;

/** A message's text with VPAs and phone numbers masked. `reference` (its UTR) stays readable even if it looks like a phone number. */
export function maskText(text: string, reference: string | null): string {
  return maskVpa(text).replace(PHONE, (phone) => (phone === reference ? phone : maskPhone(phone)));
}
