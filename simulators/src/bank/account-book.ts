import type { DemoAccount } from '../demo-file.ts';
import type { Prng } from '../prng.ts';
import { simulatedBanks } from './sms-shape.ts';
import { writeSms, type BankSms } from './write-sms.ts';

const HOUR = 3_600_000;
const INDIA_OFFSET = 5.5 * HOUR;
/** The demo's history uses the serials below this number of each hour for its references. */
const FIRST_SERIAL = 500_000;
/** No bank has more wordings for one direction. */
const WORDINGS = 8;
/** Paise by which a forger who does not know the balance gets it wrong. */
const BLIND_GUESS = 12_345_67;

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

/** A movement of an account in its bank's book, or the forged text of one. Amounts in paise. */
export interface BookEntry {
  /** lost: the money moved, but no phone has reported it (yet). forged: no money is behind it. */
  kind: 'told' | 'lost' | 'forged';
  /** Signed: positive for a credit. */
  readonly amount: number;
  /** The balance after the movement; for a forged text, the balance it claims. */
  readonly balance: number;
  /** Whether the text prints the balance. */
  readonly states: boolean;
}

/** An account on the bank's side: each movement changes the balance, and the bank sends a text about it. */
export interface BankAccount {
  readonly resourceId: string;
  readonly bank: string;
  readonly accountTail: string;
  /** All entries, in the bank's order. */
  readonly book: readonly BookEntry[];
  credit(credit: Credit): BankSms;
  /**
   * A second text about the credit that the bank booked last; moves no money. It prints the reference, if it is given one, and
   * states the balance only if the first text did. Undefined where the bank has no such wording.
   */
  reword(credit: Credit): BankSms | undefined;
  /** Money moves (signed), and no text about it reaches a phone. */
  lose(amount: number): void;
  /** A credit whose text is in a phone's inbox but not reported. Call `reported` when the phone reports it after all. */
  swallow(credit: Credit): { readonly sms: BankSms; readonly reported: () => void };
  /** A text about money that did not come, in the bank's wording. An insider knows the balance. */
  forge(credit: Credit, isInsider: boolean): BankSms;
  /** Uses a wording that prints the reference, where the bank has one, because nothing else distinguishes two equal debits. */
  debit(debit: Debit): BankSms;
  /** The text that such a credit would get; it shows which evidence the wording prints. */
  preview(credit: Omit<Credit, 'amount'>): string;
}

/** `opening` is the opening balance in paise, where the server knows one. */
export function openAccount(account: DemoAccount, random: Prng, opening?: number): BankAccount {
  const bank = simulatedBanks.find((each) => each === account.bank);
  if (!bank) throw new Error(`there are no texts of ${account.bank}`);
  let balance = opening ?? random.int(50_000_00, 900_000_00);
  const book: BookEntry[] = [];
  const write = (
    { amount, reference, payerName, variant, at }: Credit,
    direction: 'credit' | 'debit' = 'credit',
    shown: number | undefined = balance,
  ): BankSms =>
    writeSms({
      bank,
      direction,
      amountMinor: BigInt(amount),
      accountTail: account.accountTail,
      ...(shown === undefined ? {} : { balanceMinor: BigInt(shown) }),
      payerName,
      at,
      variant,
      ...(reference === undefined ? {} : { ref: reference }),
    });
  const move = (kind: BookEntry['kind'], amount: number, states = false): void => {
    balance += amount;
    book.push({ kind, amount, balance, states });
  };
  /** Moves the balance and writes the text. Writing it with another balance shows whether the wording prints the balance. */
  const tell = (kind: BookEntry['kind'], movement: Credit, direction: 'credit' | 'debit'): BankSms => {
    const amount = direction === 'debit' ? -movement.amount : movement.amount;
    const after = balance + amount;
    const sms = write(movement, direction, after);
    move(kind, amount, sms.text !== write(movement, direction, after + 1).text);
    return sms;
  };
  return {
    resourceId: account.resourceId,
    bank,
    accountTail: account.accountTail,
    book,
    forge(credit, isInsider) {
      const truth = balance;
      if (!isInsider) balance += BLIND_GUESS;
      const sms = tell('forged', credit, 'credit');
      balance = truth;
      return sms;
    },
    credit: (credit) => tell('told', credit, 'credit'),
    reword: (credit) =>
      Array.from({ length: WORDINGS }, (_, turn) => ({ ...credit, variant: credit.variant + turn }))
        .filter((each) => book.at(-1)!.states || write(each).text === write(each, 'credit', balance + 1).text)
        .map((each) => write(each))
        .find(({ text }) => text.includes(credit.reference ?? '')),
    lose: (amount) => move('lost', amount),
    swallow(credit) {
      const sms = tell('lost', credit, 'credit');
      const entry = book.at(-1)!;
      return {
        sms,
        reported() {
          entry.kind = 'told';
        },
      };
    },
    debit({ payeeName, ...debit }) {
      const movements = Array.from({ length: WORDINGS }, (_, turn) => ({
        ...debit,
        payerName: payeeName,
        variant: debit.variant + turn,
      }));
      const named = movements.find((movement) => write(movement, 'debit').text.includes(debit.reference));
      return tell('told', named ?? movements[0]!, 'debit');
    },
    preview: (credit) => write({ ...credit, amount: 100 }).text,
  };
}

/** The wording of a credit, changed to one that prints the reference, where the bank has one. */
export function naming<Wording extends Omit<Credit, 'amount'> & { readonly reference: string }>(
  account: BankAccount,
  wording: Wording,
): Wording {
  const turned = Array.from({ length: WORDINGS }, (_, turn) => ({
    ...wording,
    variant: wording.variant + turn,
  }));
  return turned.find((each) => account.preview(each).includes(wording.reference)) ?? wording;
}

/** Makes references that no other run and nothing in the demo's history has used: they follow the clock, not the seed. */
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
