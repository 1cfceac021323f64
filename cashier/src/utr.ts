/** Whose references: a chain's transactions have 64 digits, everybody else's at most 30 characters. */
export type UtrKind = 'upi' | 'bank' | 'usdt' | 'mpesa';
export type UtrProblem = 'utrEmpty' | 'utrCharacters' | 'utrShort' | 'utrLong' | 'utrNotTron';

/** As the contract's `utr` field does: separators dropped, upper case. Full-width digits of Chinese keyboards become plain. */
export function normaliseUtr(typed: string): string {
  return typed.normalize('NFKC').replace(/[\s-]/g, '').toUpperCase();
}

/** Why a normalised UTR would be refused; undefined when it would be taken. */
export function utrProblem(utr: string, kind: UtrKind = 'bank'): UtrProblem | undefined {
  if (utr === '') return 'utrEmpty';
  if (kind === 'usdt') return /^[0-9A-F]{64}$/.test(utr) ? undefined : 'utrNotTron';
  if (!/^[A-Z0-9]+$/.test(utr)) return 'utrCharacters';
  if (utr.length < 6) return 'utrShort';
  if (utr.length > 30) return 'utrLong';
  return undefined;
}
