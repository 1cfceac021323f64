import type { Currency } from '@sangam/contract/money.ts';
import { readReference } from '@sangam/contract/references.ts';

/** Each of two families is shared by two rails: UPI and IMPS share the RRN, NEFT and RTGS the UTR (docs/rails.md#references). */
export type RefFamily = 'UPI' | 'NEFT' | 'MPESA' | 'OTHER';

/** No account holds more, and a PostgreSQL number does not hold much more. */
const MOST_DIGITS = 15;

/**
 * Minor units (paise, cents) of an amount as printed: `1,00,000.00`, `0,12,345.67`, `5`, `413940.4`, with an optional
 * `-` before or `DR` after for a negative balance. Returns undefined when it is not such a number.
 */
export function parseMinor(printed: string): bigint | undefined {
  const match = /^(-?)\s?(\d[\d,]*)(?:\.(\d{1,2}))?\s?(cr|dr)?\.?$/i.exec(printed.trim());
  if (!match) return undefined;
  const [, sign, whole = '', fraction = '', side = ''] = match;
  const digits = whole.replaceAll(',', '');
  if (digits.length > MOST_DIGITS) return undefined;
  const minor = BigInt(digits) * 100n + BigInt(fraction.padEnd(2, '0'));
  return sign === '-' || side.toLowerCase() === 'dr' ? -minor : minor;
}

/**
 * Minor units of a balance. It may carry its currency, and banks print an overdrawn one in several ways: `-Rs.500`, `(-)500`, `minus 500`,
 * `500 (DR`.
 */
export function parseBalance(printed: string): bigint | undefined {
  const minor = parseMinor(/\d[\d,]*(?:\.\d{1,2})?/.exec(printed)?.[0] ?? '');
  return minor !== undefined && /-|minus|dr/i.test(printed) ? -minor : minor;
}

/** `1234.50` of minor units: the form the sample files use. */
export function formatMinor(minor: bigint): string {
  const absolute = minor < 0n ? -minor : minor;
  return `${minor < 0n ? '-' : ''}${absolute / 100n}.${String(absolute % 100n).padStart(2, '0')}`;
}

/**
 * Whether `text[start, end)` is a complete number. A pattern that stops inside a number has read a different amount: `15,OOO` (letters),
 * `1,23,4567` cut at a comma, `1.234`, or a masked `1xxx`. After paise a comma or full stop ends the clause, unless the text after the
 * comma goes on as an amount (`11,753.11,753.11`): that text is torn, and nobody can know what it said.
 */
export function isWholeNumber(text: string, start: number, end: number): boolean {
  if (/\d[.,]?$/.test(text.slice(0, start))) return false;
  const after = text.slice(end);
  if (/^(?:\d|,?o{2}|[x*]{2})/i.test(after)) return false;
  if (!text.slice(start, end).includes('.')) return !/^[.,]\d/.test(after);
  return !/^,(?:\d{3}(?!\d)|\d{1,3}(?:,\d{2,3})*\.\d{1,2}(?![.\d]))/.test(after);
}

/**
 * Whether the word balance or limit stands before the number at `start`. Then the number is no amount that moved, whatever a pattern says.
 */
export function isBalanceLabelled(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 24), start);
  return /\b(?:bal|balance|lmt|limit)\b[\s.:()-]*(?:(?:is|now|of)\b[\s.:]*)?(?:(?:rs|inr|₹|ksh)[\s.:]*)?$/i.test(
    before,
  );
}

/** The last four digits shown of a masked or full account number; fewer when the bank shows fewer. */
export function accountTail(printed: string): string | undefined {
  const digits = printed.replace(/\D/g, '');
  return digits.length < 2 ? undefined : digits.slice(-4);
}

/** A printed reference in the form in which references are compared. Undefined if it is none. */
export function cleanRef(printed: string, currency: Currency): string | undefined {
  return readReference(printed, currency) ?? undefined;
}

/** The numbering a reference belongs to: by its form, then by the rail the message names. */
export function refFamily(ref: string, text: string, country: 'IN' | 'KE'): RefFamily {
  if (country === 'KE') return 'MPESA';
  if (/^[A-Z]{4}[A-Z0-9]{12,20}$/.test(ref)) return 'NEFT';
  const namesInstant = /\b(?:upi|imps|rrn)\b/i.test(text);
  if (/^\d{12}$/.test(ref) || (/^\d+$/.test(ref) && namesInstant)) return 'UPI';
  return /\b(?:neft|rtgs|utr)\b/i.test(text) && !namesInstant ? 'NEFT' : 'OTHER';
}

/** Words after 'from' or 'by' that open a clause and name nobody. */
const notAName =
  /^(?:your|ur|the|rs|inr|a\/c|ac|acct?|account|vpa|upi|(?:neft|rtgs|imps|mtfr)[a-z]*|self|transfer|ach|nach|cash|cheque|chq|clg|transaction|bank|uco|branch|mobile|atm|salary|int|interest|you|sms|cdm)\b|\d{4,}|@|https?:/i;

/** A counterparty's name, or undefined when the words are not one. */
export function cleanName(printed: string): string | undefined {
  const name = printed.replace(/[\s.,-]+$/, '').trim();
  return name.length < 2 || notAName.test(name) ? undefined : name;
}

/** In lower case, as VPAs are compared. A handle has no dot: with a dot it is an e-mail address (the end of the pattern checks this). */
export function cleanVpa(printed: string): string | undefined {
  const vpa = printed.trim().toLowerCase();
  // 'withdrawn@SBI ATM' names a place.
  if (/^(?:withdrawn|spent|paid|used|debited|deposited)@/.test(vpa)) return undefined;
  return /^[a-z0-9._-]{2,99}@[a-z][a-z0-9]{1,63}$/.test(vpa) ? vpa : undefined;
}
