import type { indianTime } from './indian-format.ts';

/** What a shape is written from; amounts in the three ways banks print them. */
export interface SmsFacts {
  readonly plain: string;
  readonly grouped: string;
  readonly short: string;
  readonly tail: string;
  /** Printed balance, plain and grouped; absent when the caller gave none. */
  readonly balance?: { readonly plain: string; readonly grouped: string };
  readonly ref?: string;
  /** The other side: payer of a credit, payee of a debit. */
  readonly name: string;
  readonly vpa: string;
  readonly on: ReturnType<typeof indianTime>;
}

export type Rail = 'upi' | 'imps' | 'neft';

export interface SmsShape {
  readonly sender: string;
  /** Rails whose movements the bank words this way; the reference decides which one a movement is. */
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
