import * as fc from 'fast-check';

/** Which of a sequence's orders, credits or forged messages a command means: the last ones made, counted back. */
export type Which = 0 | 1 | 2;
export type Reporter = 'now' | 'late';
export type Rewording = 'not' | 'day' | 'minute';
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
      /** Its remark carries the code of that order, or of the one before it; they may have ended. */
      readonly coded: 'not' | 'own' | 'before';
      /** Its payer rounds the sum that the order asks, which an order beside it may ask exactly. */
      readonly isRounded: boolean;
    }
  /** The supplier's desk at the bank gives a credit back by hand. The bank's book has it; the platform hears nothing. */
  | { readonly kind: 'refund'; readonly credit: Which }
  /** A credit is reported again: under a new id, or in another wording, which names the day or the minute that it came. */
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
  /** The desk asks to charge the supplier of an order booked beside its account: the bank's message is here. */
  | { readonly kind: 'correct' }
  /** An admin decides the oldest request that waits. */
  | { readonly kind: 'decide'; readonly approve: boolean }
  /** A payout that the supplier claims and says it paid; the bank's book has no debit for it, or has it. */
  | { readonly kind: 'payout'; readonly paid: boolean; readonly reference: Reference };

export type AttackCommand =
  | AttackStep
  /** Steps that follow each other at once: what seldom comes together by chance. */
  | { readonly kind: 'story'; readonly steps: readonly AttackStep[] };

/** Below and above what the chain checks closely, and one that takes the whole deposit. Minor units. */
export const AMOUNTS = [900_00n, 8_000_00n, 30_000_00n, 50_000_00n] as const;

const which = fc.constantFrom<Which>(0, 1, 2);
const amount = fc.nat({ max: AMOUNTS.length - 1 });
const report = fc.constantFrom<Reporter>('now', 'now', 'late');
const reworded = fc.constantFrom<Rewording>('not', 'not', 'day', 'minute');
const reference = fc.constantFrom<Reference>('forged', 'credit', 'fresh');
const of = fc.constantFrom<Which | 'none'>(0, 1, 2, 'none');

const step: fc.Arbitrary<AttackStep> = fc.oneof(
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
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('decide' as const), approve: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('payout' as const), paid: fc.boolean(), reference }),
  },
);

const order = (of: number | 'credit') => ({ kind: 'order', amount: of, isNamed: false }) as const;
const credit = (
  of: Which | 'none',
  fields: Partial<
    Pick<Extract<AttackStep, { kind: 'credit' }>, 'amount' | 'report' | 'coded' | 'isRounded'>
  > = {},
) => ({ kind: 'credit', of, amount: 0, report: 'now', coded: 'not', isRounded: false, ...fields }) as const;

const repeat = (reworded: Rewording, reporter: Reporter = 'now') =>
  ({ kind: 'repeat', credit: 0, reworded, report: reporter }) as const;

/** A payment reported twice; one that the bank contradicts, that came to the account after all, that its payer names while it is held, that names an ended order; a claim of one; one that names an order and has another's sum. */
const story = fc.oneof(
  fc
    .record({ amount, reworded: fc.constantFrom<Rewording>('day', 'minute', 'not') })
    .map(({ amount: of, reworded }): AttackStep[] => [
      order(of),
      credit(0),
      order('credit'),
      repeat(reworded),
    ]),
  amount.map((came): AttackStep[] => [
    credit('none', { amount: came }),
    order('credit'),
    repeat('day'),
    { kind: 'order', amount: 'credit', isNamed: true },
  ]),
  fc
    .record({ booked: amount, came: amount, offset: fc.boolean() })
    .map(({ booked, came, offset }): AttackStep[] => [
      order(booked),
      credit('none', { amount: came, report: 'late' }),
      { kind: 'supplement', order: 0, by: 'superAdmin', reference: 'credit', offset },
      credit('none', { amount: came }),
    ]),
  fc
    .constantFrom(2, 3)
    .map((of): AttackStep[] => [
      order(of),
      credit(0),
      order(0),
      { kind: 'typeUtr', order: 0, reference: 'credit' },
      credit('none'),
      credit('none'),
    ]),
  fc
    .record({ of: fc.constantFrom(0, 1), approve: fc.boolean() })
    .map(({ of, approve }): AttackStep[] => [
      order(of),
      credit(0, { report: 'late' }),
      { kind: 'supplement', order: 0, by: 'superAdmin', reference: 'credit', offset: true },
      credit('none'),
      { kind: 'correct' },
      { kind: 'decide', approve },
    ]),
  fc.constantFrom(0, 1).map((of): AttackStep[] => [order(of), credit(0, { coded: 'before' })]),
  amount.map((came): AttackStep[] => [
    credit('none', { amount: came, report: 'late' }),
    { kind: 'payout', paid: false, reference: 'credit' },
    credit('none', { amount: came }),
  ]),
  fc
    .record({ amount, reworded: fc.constantFrom<Rewording>('day', 'minute') })
    .map(({ amount: of, reworded }): AttackStep[] => [
      order(of),
      order(of),
      credit(0, { report: 'late', coded: 'own', isRounded: true }),
      repeat(reworded),
      credit('none', { amount: (of + 1) % AMOUNTS.length }),
    ]),
  // Its other wording may come much later.
  amount.map((of): AttackStep[] => [
    order(of),
    order(of),
    credit(0, { coded: 'own', isRounded: true }),
    repeat('minute', 'late'),
  ]),
);

export const attackCommand: fc.Arbitrary<AttackCommand> = fc.oneof(
  { weight: 8, arbitrary: step },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('story' as const), steps: story }) },
);
