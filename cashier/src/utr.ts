/** The kind of reference. A transaction of a chain has 64 digits; all others have at most 30 characters. */
export type UtrKind = 'upi' | 'bank' | 'usdt' | 'mpesa';
export type UtrProblem = 'utrEmpty' | 'utrCharacters' | 'utrShort' | 'utrLong' | 'utrNotTron';

/** Follows the contract's `utr` field: drops separators, upper case. Full-width digits of Chinese keyboards become plain ones. */
export function normaliseUtr(typed: string): string {
  return typed.normalize('NFKC').replace(/[\s-]/g, '').toUpperCase();
}

/** Why the server would refuse a normalised UTR; undefined when it would accept it. */
export function utrProblem(utr: string, kind: UtrKind = 'bank'): UtrProblem | undefined {
  if (utr === '') return 'utrEmpty';
  if (kind === 'usdt') return /^[0-9A-F]{64}$/.test(utr) ? undefined : 'utrNotTron';
  if (!/^[A-Z0-9]+$/.test(utr)) return 'utrCharacters';
  if (utr.length < 6) return 'utrShort';
  if (utr.length > 30) return 'utrLong';
  return undefined;
}
