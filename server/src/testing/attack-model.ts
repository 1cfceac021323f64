import * as fc from 'fast-check';

/** Which of a sequence's orders, credits or forged messages a command means: the last ones made, counted back. */
export type Which = 0 | 1 | 2;
export type Reporter = 'now' | 'late';
/** How a bank tells of a payment: with its reference or without, by the day or by the minute, with the code in its remark or without. */
export type Wording = 'statedMinute' | 'statedDay' | 'minute' | 'day' | 'codedDay';
export type Rewording = 'not' | Wording;
export type Reference = 'forged' | 'credit' | 'fresh';

/** What a supplier with its phone, a merchant, an operator and a payer may do. Amounts are indexes of AMOUNTS. */
export type AttackStep =
  /** Of an amount, or of the last credit's; its payer may name the UTR of that credit at once. */
  | { readonly kind: 'order'; readonly amount: number | 'credit'; readonly isNamed: boolean }
  /** Money comes to the account: what an order asks for, or a sum that no order waits for. The bank's book has it. */
  | {
      readonly kind: 'credit';
      readonly of: Which | 'none';
      readonly amount: number;
      readonly report: Reporter;
      readonly told: Wording;
      /** Its remark carries the code of that order, or of the one before it; they may have ended. */
      readonly coded: 'not' | 'own' | 'before';
      /** Its payer rounds the sum that the order asks, which an order beside it may ask exactly. */
      readonly isRounded: boolean;
    }
  /** The supplier's desk at the bank gives a credit back by hand. The bank's book has it; the platform hears nothing. */
  | { readonly kind: 'refund'; readonly credit: Which }
  /** A credit is reported again: under a new id, or in another wording. */
  | {
      readonly kind: 'repeat';
      readonly credit: Which;
      readonly reworded: Rewording;
      readonly report: Reporter;
    }
  /** A message about money that never came. `balance`: none, one that nothing leads to, the one that goes on from the last. */
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
  /** A forged message for an order, and at once its supplier's supplement with the UTR in it. */
  | { readonly kind: 'claimPaid'; readonly order: Which; readonly balance: 'none' | 'wrong' | 'fitting' }
  | { readonly kind: 'typeUtr'; readonly order: Which; readonly reference: Reference }
  /** An order gives its account back before its time. */
  | { readonly kind: 'cancel'; readonly order: Which }
  /** An operator reads what money is lost. */
  | { readonly kind: 'look' }
  /** An operator joins a row of lost money to an order; `isStale`: as it was read at the last look. */
  | {
      readonly kind: 'join';
      readonly row: Which;
      readonly order: Which;
      readonly by: 'customerService' | 'superAdmin';
      readonly isStale: boolean;
      /** Where the row states no reference, the operator types that of the payment, or one of its own. */
      readonly isTrue: boolean;
    }
  /** An operator asks to settle a row of lost money outside the platform. */
  | { readonly kind: 'settle'; readonly row: Which; readonly isStale: boolean }
  /** The desk asks to charge the supplier of an order booked beside its account: the bank's message is here. */
  | { readonly kind: 'correct' }
  /** An admin decides the oldest request that waits. */
  | { readonly kind: 'decide'; readonly approve: boolean }
  /** A payout that the supplier claims and says it paid; the bank's book has no debit for it, or has it. */
  | { readonly kind: 'payout'; readonly paid: boolean; readonly reference: Reference };

export type AttackCommand =
  | AttackStep
  /** Steps that follow each other at once: what seldom comes together by chance. */
  | { readonly kind: 'story'; readonly steps: readonly AttackStep[]; readonly later: readonly Later[] };

/** A step that is done so many rounds after the one before it. */
export interface Later {
  readonly rounds: number;
  readonly step: AttackStep;
}

/** Below and above what the chain checks closely, and one that takes the whole deposit. Minor units. */
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
