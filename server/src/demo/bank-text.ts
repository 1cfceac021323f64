import { formatMinor } from '@sangam/contract/money.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { SECOND } from '../platform/clock.ts';
import type { CastBank } from './cast.ts';

/** A movement on a receiving account, as its bank reports it. Amounts in paise. */
export interface Movement {
  readonly bank: CastBank;
  readonly direction: 'credit' | 'debit';
  readonly amount: bigint;
  readonly tail: string;
  readonly balanceAfter: bigint;
  readonly reference: string;
  readonly at: Date;
}

/** The text, and the fields that the default templates read in it. A field that the wording does not print is absent. */
export interface BankText {
  readonly sender: string;
  readonly text: string;
  readonly templateId: string;
  readonly reference: string | null;
  readonly balance: bigint | null;
  readonly bankTime: Date;
  readonly timePrecision: 'day' | 'second';
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

interface Facts extends Movement {
  readonly sum: string;
  readonly balance: string;
  readonly date: {
    readonly day: string;
    readonly month: string;
    readonly name: string;
    readonly year: string;
  };
  readonly clock: string;
}

interface Wording {
  readonly sender: string;
  readonly templateId: string;
  readonly prints: readonly ('reference' | 'balance' | 'clock')[];
  readonly write: (facts: Facts) => string;
}

const dashed = ({ date }: Facts) => `${date.day}-${date.month}-${date.year.slice(2)}`;
const tight = ({ date }: Facts) => `${date.day}${date.name}${date.year.slice(2)}`;
const named = ({ date }: Facts) => `${date.day}-${date.name}-${date.year.slice(2)}`;
const dashedLong = ({ date }: Facts) => `${date.day}-${date.month}-${date.year}`;

const WORDINGS: Readonly<Record<CastBank, Readonly<Record<Movement['direction'], Wording>>>> = {
  HDFC: {
    credit: {
      sender: 'VM-HDFCBK-S',
      templateId: 'in-credit-amount-verb-account',
      prints: ['reference'],
      write: (f) => `Rs.${f.sum} credited to HDFC Bank A/c XX${f.tail} on ${dashed(f)} (UPI ${f.reference})`,
    },
    debit: {
      sender: 'VM-HDFCBK-S',
      templateId: 'in-debit-amount-verb-account',
      prints: ['reference'],
      write: (f) =>
        `Rs.${f.sum} debited from HDFC Bank A/c XX${f.tail} on ${dashed(f)} (IMPS Ref No. ${f.reference}). Not you? Call 18002586161`,
    },
  },
  SBI: {
    credit: {
      sender: 'VM-SBIUPI-S',
      templateId: 'in-credit-account-verb-amount',
      prints: ['reference'],
      write: (f) =>
        `Dear SBI User, your A/c X${f.tail}-credited by Rs.${f.sum} on ${tight(f)} Ref No ${f.reference} -SBI`,
    },
    debit: {
      sender: 'AX-SBIINB-S',
      templateId: 'in-debit-account-verb-amount',
      prints: ['reference'],
      write: (f) =>
        `Your a/c no. XXXXXXX${f.tail} is debited for Rs.${f.sum} on ${dashed(f)} (IMPS Ref no ${f.reference}).-SBI`,
    },
  },
  ICICI: {
    credit: {
      sender: 'AX-ICICIB-S',
      templateId: 'in-credit-account-verb-amount',
      prints: ['reference', 'balance'],
      write: (f) =>
        `ICICI Bank Account XX${f.tail} is credited with Rs ${f.sum} on ${named(f)}. UPI Ref. no. ${f.reference}. Available Balance is Rs ${f.balance}.`,
    },
    debit: {
      sender: 'AX-ICICIB-S',
      templateId: 'in-debit-account-verb-amount',
      prints: ['reference', 'balance'],
      write: (f) =>
        `ICICI Bank Account XX${f.tail} is debited with Rs ${f.sum} on ${named(f)}. IMPS Ref. no. ${f.reference}. Available Balance is Rs ${f.balance}.`,
    },
  },
  Axis: {
    credit: {
      sender: 'AX-AXISBK-S',
      templateId: 'in-credit-amount-verb-account',
      prints: ['reference', 'clock'],
      write: (f) =>
        `INR ${f.sum} credited\nA/c no. XX${f.tail}\n${dashed(f)}, ${f.clock} IST\nUPI/P2A/${f.reference}\nAxis Bank`,
    },
    debit: {
      sender: 'AX-AXISBK-S',
      templateId: 'in-debit-amount-verb-account',
      prints: ['reference', 'clock'],
      write: (f) =>
        `INR ${f.sum} debited\nA/c no. XX${f.tail}\n${dashed(f)}, ${f.clock} IST\nIMPS/P2A/${f.reference}\nAxis Bank`,
    },
  },
  PNB: {
    credit: {
      sender: 'IM-PNBSMS-S',
      templateId: 'in-credit-account-verb-amount',
      prints: ['balance', 'clock'],
      write: (f) =>
        `Ac XXXXXXXX${f.tail} Credited with Rs.${f.sum} , ${dashedLong(f)} ${f.clock}. Aval Bal Rs.${f.balance} CR.-PNB`,
    },
    debit: {
      sender: 'VA-PNBSMS-S',
      templateId: 'in-debit-account-verb-amount',
      prints: ['balance', 'clock'],
      write: (f) =>
        `Ac XXXXXXXX${f.tail} Debited with Rs.${f.sum}, ${dashedLong(f)} ${f.clock}. Aval Bal Rs.${f.balance} CR.-PNB`,
    },
  },
};

/** Short texts in the style of each bank, one for each direction. The simulator's bank writes many more. */
export function bankText(movement: Movement): BankText {
  const { sender, templateId, prints, write } = WORDINGS[movement.bank][movement.direction];
  const local = formatTime(movement.at);
  const [year, month, day] = [local.slice(0, 4), local.slice(5, 7), local.slice(8, 10)];
  const printsClock = prints.includes('clock');
  const midnight = new Date(`${local.slice(0, 10)}T00:00:00+05:30`);
  return {
    sender,
    text: write({
      ...movement,
      sum: formatMinor(movement.amount, 'INR'),
      balance: formatMinor(movement.balanceAfter, 'INR'),
      date: { day, month, name: MONTHS[Number(month) - 1]!, year },
      clock: local.slice(11),
    }),
    templateId,
    reference: prints.includes('reference') ? movement.reference : null,
    balance: prints.includes('balance') ? movement.balanceAfter : null,
    bankTime: printsClock ? new Date(Math.floor(movement.at.getTime() / SECOND) * SECOND) : midnight,
    timePrecision: printsClock ? 'second' : 'day',
  };
}

/** Whether the bank's credits print their reference. Without one, only the exact amount identifies an order. */
export function printsReference(bank: CastBank): boolean {
  return WORDINGS[bank].credit.prints.includes('reference');
}
