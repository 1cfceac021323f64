import { groupedRupees, indianTime, plainRupees, shortRupees } from './indian-format.ts';
import type { Rail, SimulatedBank, SmsFacts } from './sms-shape.ts';
import { smsShapes } from './sms-shapes.ts';

export interface SmsRequest {
  readonly bank: SimulatedBank;
  /** From the view of the account that the text is about. */
  readonly direction: 'credit' | 'debit';
  /** Paise, positive. */
  readonly amountMinor: bigint;
  /** Four digits. Canara prints the last three in some shapes. */
  readonly accountTail: string;
  /** Balance after the movement, in paise. Some wordings print none. */
  readonly balanceMinor?: bigint;
  /** An RRN (12 digits) makes it UPI or IMPS; any other reference NEFT. Some wordings print none. */
  readonly ref?: string;
  /** The other party: the payer of a credit, the payee of a debit. */
  readonly payerName?: string;
  readonly payerVpa?: string;
  readonly at: Date;
  /** Chooses among the bank's wordings; any integer. */
  readonly variant: number;
}

export interface BankSms {
  /** Sender as a phone reports it: `VM-HDFCBK-S`. */
  readonly sender: string;
  readonly text: string;
}

const railsOf = (ref: string | undefined): readonly Rail[] => {
  if (ref === undefined) return ['upi', 'imps', 'neft'];
  return /^\d{12}$/.test(ref) ? ['upi', 'imps'] : ['neft'];
};

/**
 * The text that a bank would send about a movement. The same request always gives the same text. The default message templates can
 * read all of these texts. Whether balance and reference are printed depends on the wording, as with real banks.
 */
export function writeSms(request: SmsRequest): BankSms {
  const { bank, direction, amountMinor, accountTail, balanceMinor, ref, payerName, payerVpa, at, variant } =
    request;
  const rails = railsOf(ref);
  const shapes = smsShapes[bank][direction].filter((shape) =>
    shape.rails.some((rail) => rails.includes(rail)),
  );
  const shape = shapes[((variant % shapes.length) + shapes.length) % shapes.length];
  if (!shape) throw new Error(`${bank} has no ${direction} message for ${rails.join(', ')}`);
  const name = payerName ?? payerVpa?.split('@')[0] ?? 'CUSTOMER';
  const facts: SmsFacts = {
    plain: plainRupees(amountMinor),
    grouped: groupedRupees(amountMinor),
    short: shortRupees(amountMinor),
    tail: accountTail,
    ...(balanceMinor !== undefined && {
      balance: { plain: plainRupees(balanceMinor), grouped: groupedRupees(balanceMinor) },
    }),
    ...(ref !== undefined && { ref }),
    name: name.toUpperCase(),
    vpa: payerVpa ?? `${name.toLowerCase().replace(/[^a-z0-9]+/g, '.')}@okbank`,
    on: indianTime(at),
  };
  return { sender: shape.sender, text: shape.write(facts) };
}
