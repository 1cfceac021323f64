import list from './bank-codes.json' with { type: 'json' };

const CODES: ReadonlySet<string> = new Set(list.codes.flatMap((line) => line.split(' ')));

/** Whether the first four letters of an IFSC are a bank's; branches are not looked up. */
export function isBankOf(ifsc: string): boolean {
  return CODES.has(ifsc.slice(0, 4));
}
