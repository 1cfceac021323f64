import type { indianTime } from './indian-format.ts';

/** The values that a wording is filled with; amounts in the three forms that banks print. */
export interface SmsFacts {
  readonly plain: string;
  readonly grouped: string;
  readonly short: string;
  readonly tail: string;
  /** The balance to print, plain and grouped; absent when the caller gave none. */
  readonly balance?: { readonly plain: string; readonly grouped: string };
  readonly ref?: string;
  /** The other party: the payer of a credit, the payee of a debit. */
  readonly name: string;
  readonly vpa: string;
  readonly on: ReturnType<typeof indianTime>;
}

export type Rail = 'upi' | 'imps' | 'neft';

export interface SmsShape {
  readonly sender: string;
  /** Rails for which the bank uses this wording. The reference decides the rail of a movement. */
  readonly rails: readonly Rail[];
  readonly write: (facts: SmsFacts) => string;
}

export const simulatedBanks = [
  'HDFC',
  'SBI',
  'ICICI',
  'Axis',
  'PNB',
  'Canara',
  'Kotak',
  'Union',
  'IDFC',
  'AU',
] as const;
export type SimulatedBank = (typeof simulatedBanks)[number];

export const instant: readonly Rail[] = ['upi', 'imps'];
export const anyRail: readonly Rail[] = ['upi', 'imps', 'neft'];

export const withRef = (facts: SmsFacts, write: (ref: string) => string): string =>
  facts.ref === undefined ? '' : write(facts.ref);
export const plainBalance = (facts: SmsFacts, write: (balance: string) => string): string =>
  facts.balance ? write(facts.balance.plain) : '';
export const groupedBalance = (facts: SmsFacts, write: (balance: string) => string): string =>
  facts.balance ? write(facts.balance.grouped) : '';

export function shape(sender: string, rails: readonly Rail[], write: SmsShape['write']): SmsShape {
  return { sender, rails, write };
}
