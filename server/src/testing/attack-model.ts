import * as fc from 'fast-check';

/** Which of a sequence's orders, credits or forged messages a command means: 0 is the last one made, 1 the one before it. */
export type Which = 0 | 1 | 2;
export type Reporter = 'now' | 'late';
/** How a bank reports a payment: with or without its reference, with the day or the minute, with or without the code in its remark. */
export type Wording = 'statedMinute' | 'statedDay' | 'minute' | 'day' | 'codedDay';
export type Rewording = 'not' | Wording;
export type Reference = 'forged' | 'credit' | 'fresh';

/** What a supplier with its phone, a merchant, an operator and a payer may do. Amounts are indexes of AMOUNTS. */
export type AttackStep =
  /** An order of an amount, or of the last credit's amount. Its payer may name the UTR of that credit at once. */
  | { readonly kind: 'order'; readonly amount: number | 'credit'; readonly isNamed: boolean }
  /** Money comes to the account: the amount of an order, or an amount that no order waits for. The bank's book has it. */
  | {
      readonly kind: 'credit';
      readonly of: Which | 'none';
      readonly amount: number;
      readonly report: Reporter;
      readonly told: Wording;
      /** The remark has the code of that order, or of the order before it. Either may have ended. */
      readonly coded: 'not' | 'own' | 'before';
      /** The payer rounds the amount of the order. Another order may ask for exactly the rounded amount. */
      readonly isRounded: boolean;
      /** Money whose reference the desk knew before it came, as of a NEFT that is booked days later. It has completed an order by it. */
      readonly isAnnounced?: boolean;
    }
  /** The supplier gives a credit back by hand at the bank. The bank's book has this; the platform is not told. */
  | { readonly kind: 'refund'; readonly credit: Which }
  /** A credit is reported again: under a new id, or in another wording. */
  | {
      readonly kind: 'repeat';
      readonly credit: Which;
      readonly reworded: Rewording;
      readonly report: Reporter;
    }
  /** A message about money that never came. `balance`: none, one that fits no message, or the one that follows the last message. */
  | {
      readonly kind: 'forge';
      readonly of: Which | 'none';
      readonly amount: number;
      readonly balance: 'none' | 'wrong' | 'fitting';
    }
  | {
      readonly kind: 'supplement';
      readonly order: Which;
      readonly by: 'supplier' | 'customerService' | 'superAdmin';
      readonly reference: Reference;
      readonly offset: boolean;
    }
  /** A forged message for an order, and at once its supplier's supplement with the forged UTR. */
  | { readonly kind: 'claimPaid'; readonly order: Which; readonly balance: 'none' | 'wrong' | 'fitting' }
  | { readonly kind: 'typeUtr'; readonly order: Which; readonly reference: Reference }
  /** An order releases its account before its time. */
  | { readonly kind: 'cancel'; readonly order: Which }
  /** An operator reads which money is lost. */
  | { readonly kind: 'look' }
  /** An operator joins a row of lost money to an order. `isStale`: the row as it was at the last look. */
  | {
      readonly kind: 'join';
      readonly row: Which;
      readonly order: Which;
      readonly by: 'customerService' | 'superAdmin';
      readonly isStale: boolean;
      /** When the row has no reference, the operator types the payment's reference (true) or an invented one. */
      readonly isTrue: boolean;
    }
  /** An operator asks to settle a row of lost money outside the platform. */
  | { readonly kind: 'settle'; readonly row: Which; readonly isStale: boolean }
  /** The desk asks to charge the supplier of an offset order, because the bank's message has come. */
  | { readonly kind: 'correct' }
  /** An admin decides the oldest waiting request. */
  | { readonly kind: 'decide'; readonly approve: boolean }
  /** The supplier claims a payout and says that it paid. The bank's book has the debit, or has none. */
  | { readonly kind: 'payout'; readonly paid: boolean; readonly reference: Reference };

export type AttackCommand =
  | AttackStep
  /** Steps that directly follow each other and seldom come together by chance. */
  | { readonly kind: 'story'; readonly steps: readonly AttackStep[]; readonly later: readonly Later[] };

/** A step that is done this many rounds after the step before it. */
export interface Later {
  readonly rounds: number;
  readonly step: AttackStep;
}

/** Below and above the amounts that the chain checks closely, and one that takes the whole deposit. Minor units. */
export const AMOUNTS = [900_00n, 8_000_00n, 30_000_00n, 50_000_00n] as const;

export const which = fc.constantFrom<Which>(0, 1, 2);
export const amount = fc.nat({ max: AMOUNTS.length - 1 });
const report = fc.constantFrom<Reporter>('now', 'now', 'late');
export const wording = fc.constantFrom<Wording>('statedMinute', 'statedDay', 'minute', 'day', 'codedDay');
export const told = fc.constantFrom<Wording>(
  'statedMinute',
  'statedMinute',
  'statedMinute',
  'statedDay',
  'minute',
  'day',
  'codedDay',
);
const reworded = fc.oneof(fc.constant('not' as const), wording);
export const desk = fc.constantFrom('customerService' as const, 'superAdmin' as const);
const reference = fc.constantFrom<Reference>('forged', 'credit', 'fresh');
const of = fc.constantFrom<Which | 'none'>(0, 1, 2, 'none');

export const attackStep: fc.Arbitrary<AttackStep> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('order' as const),
      amount: fc.oneof(amount, fc.constant('credit' as const)),
      isNamed: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('credit' as const),
      of,
      amount,
      report,
      told,
      coded: fc.constantFrom('not' as const, 'not' as const, 'own' as const, 'before' as const),
      isRounded: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('refund' as const), credit: which }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('repeat' as const), credit: which, reworded, report }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('forge' as const),
      of,
      amount,
      balance: fc.constantFrom('none' as const, 'wrong' as const, 'fitting' as const),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('supplement' as const),
      order: which,
      by: fc.constantFrom(
        'supplier' as const,
        'supplier' as const,
        'customerService' as const,
        'superAdmin' as const,
      ),
      reference,
      offset: fc.constantFrom(false, false, true),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('claimPaid' as const),
      order: which,
      balance: fc.constantFrom('none' as const, 'wrong' as const, 'fitting' as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('typeUtr' as const), order: which, reference }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'correct' } as const) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('join' as const),
      row: which,
      order: which,
      by: desk,
      isStale: fc.boolean(),
      isTrue: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('settle' as const), row: which, isStale: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), order: which }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'look' } as const) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('decide' as const), approve: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('payout' as const), paid: fc.boolean(), reference }),
  },
);
