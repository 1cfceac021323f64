export type UtrProblem = 'utrEmpty' | 'utrCharacters' | 'utrShort' | 'utrLong';

/** As the contract's `utr` field does: separators dropped, upper case. Full-width digits of Chinese keyboards become plain. */
export function normaliseUtr(typed: string): string {
  return typed.normalize('NFKC').replace(/[\s-]/g, '').toUpperCase();
}

/** Why a normalised UTR would be refused; undefined when it would be taken. */
export function utrProblem(utr: string): UtrProblem | undefined {
  if (utr === '') return 'utrEmpty';
  if (!/^[A-Z0-9]+$/.test(utr)) return 'utrCharacters';
  if (utr.length < 6) return 'utrShort';
  if (utr.length > 30) return 'utrLong';
  return undefined;
}

/** UPI references have twelve digits. Banks print stranger things, so another form is doubted, never refused. */
export function looksLikeUpi(utr: string): boolean {
  return /^\d{12}$/.test(utr);
}
