import type { DemoAccount } from '../demo-file.ts';
import type { Prng } from '../prng.ts';
import { simulatedBanks } from './sms-shape.ts';
import { writeSms, type BankSms } from './write-sms.ts';

const HOUR = 3_600_000;
const INDIA_OFFSET = 5.5 * HOUR;
/** The demo's history has its references from the lower half of an hour's serials. */
const FIRST_SERIAL = 500_000;
/** No bank has more shapes of one direction. */
const DEBIT_WORDINGS = 8;

export interface Credit {
  /** Paise. */
  readonly amount: number;
  readonly reference: string | undefined;
  readonly payerName: string;
  readonly variant: number;
  readonly at: Date;
}

export interface Debit {
  /** Paise. */
  readonly amount: number;
  readonly reference: string;
  readonly payeeName: string;
  readonly variant: number;
  readonly at: Date;
}

/** An account as its bank keeps it: every movement changes the balance, and the bank texts about it. */
export interface BankAccount {
  credit(credit: Credit): BankSms;
  /** A text as the bank would write it, of money that did not come; an insider knows the balance. */
  forge(credit: Credit, isInsider: boolean): BankSms;
  /** In a wording that prints the reference, where the bank has one: nothing else tells two equal debits apart. */
  debit(debit: Debit): BankSms;
  /** The wording such a credit would get: which evidence it prints. */
  preview(credit: Omit<Credit, 'amount'>): string;
}

export function openAccount(account: DemoAccount, random: Prng): BankAccount {
  const bank = simulatedBanks.find((each) => each === account.bank);
  if (!bank) throw new Error(`there are no texts of ${account.bank}`);
  let balance = BigInt(random.int(50_000_00, 900_000_00));
  const write = (
    { amount, reference, payerName, variant, at }: Credit,
    direction: 'credit' | 'debit' = 'credit',
  ): BankSms =>
    writeSms({
      bank,
      direction,
      amountMinor: BigInt(amount),
      accountTail: account.accountTail,
      balanceMinor: balance,
      payerName,
      at,
      variant,
      ...(reference === undefined ? {} : { ref: reference }),
    });
  return {
    forge(credit, isInsider) {
      const truth = balance;
      balance += BigInt(credit.amount) + (isInsider ? 0n : 12_345_67n);
      const text = write(credit);
      balance = truth;
      return text;
    },
    credit(credit) {
      balance += BigInt(credit.amount);
      return write(credit);
    },
    debit({ payeeName, ...debit }) {
      balance -= BigInt(debit.amount);
      const texts = Array.from({ length: DEBIT_WORDINGS }, (_, turn) =>
        write({ ...debit, payerName: payeeName, variant: debit.variant + turn }, 'debit'),
      );
      return texts.find(({ text }) => text.includes(debit.reference)) ?? texts[0]!;
    },
    preview: (credit) => write({ ...credit, amount: 100 }).text,
  };
}

/** References that no other run, and nothing in the demo's history, has used: they follow the clock, not the seed. */
export interface References {
  rrn(): string;
  neft(): string;
}

export function createReferences(startedAt: Date): References {
  let count = Math.floor(Math.random() * FIRST_SERIAL);
  const local = new Date(startedAt.getTime() + INDIA_OFFSET).toISOString();
  const year = local.slice(0, 4);
  const dayOfYear =
    Math.floor((Date.parse(`${local.slice(0, 10)}T00:00:00Z`) - Date.UTC(Number(year), 0, 1)) / (24 * HOUR)) +
    1;
  const serial = () => {
    count = (count + 1) % FIRST_SERIAL;
    return String(FIRST_SERIAL + count);
  };
  return {
    rrn: () => `${year.slice(3)}${String(dayOfYear).padStart(3, '0')}${local.slice(11, 13)}${serial()}`,
    neft: () => `UTIBN5${local.slice(0, 10).replaceAll('-', '')}${local.slice(11, 13)}${serial()}`,
  };
}
