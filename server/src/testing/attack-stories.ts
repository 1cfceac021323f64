import * as fc from 'fast-check';
import {
  AMOUNTS,
  amount,
  type AttackCommand,
  attackStep,
  type AttackStep,
  desk,
  type Reporter,
  type Rewording,
  told,
  type Which,
  which,
  wording,
} from './attack-model.ts';

const order = (of: number | 'credit') => ({ kind: 'order', amount: of, isNamed: false }) as const;
const credit = (
  of: Which | 'none',
  fields: Partial<
    Pick<Extract<AttackStep, { kind: 'credit' }>, 'amount' | 'report' | 'told' | 'coded' | 'isRounded'>
  > = {},
) =>
  ({
    kind: 'credit',
    of,
    amount: 0,
    report: 'now',
    told: 'statedMinute',
    coded: 'not',
    isRounded: false,
    ...fields,
  }) as const;

const repeat = (reworded: Rewording, reporter: Reporter = 'now') =>
  ({ kind: 'repeat', credit: 0, reworded, report: reporter }) as const;

/**
 * Steps that seldom come together by chance: a payment reported twice; a payment that the bank contradicts, that came after all, that is
 * held while its payer names it, or that names an ended order; a supplier's claim of one; a payment that names an order and has another
 * order's amount.
 */
const known = fc.oneof(
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

/** What may happen between two wordings of a payment, and after them. */
const move: fc.Arbitrary<AttackStep> = fc.oneof(
  { weight: 4, arbitrary: wording.map((reworded) => repeat(reworded)) },
  {
    weight: 3,
    arbitrary: fc.boolean().map((isNamed): AttackStep => ({ kind: 'order', amount: 'credit', isNamed })),
  },
  {
    weight: 2,
    arbitrary: which.map((of): AttackStep => ({ kind: 'typeUtr', order: of, reference: 'credit' })),
  },
  {
    weight: 3,
    arbitrary: fc
      .record({ row: which, order: which, by: desk, isStale: fc.boolean(), isTrue: fc.boolean() })
      .map((fields): AttackStep => ({ kind: 'join', ...fields })),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({ row: which, isStale: fc.boolean() })
      .map((fields): AttackStep => ({ kind: 'settle', ...fields })),
  },
  {
    weight: 1,
    arbitrary: fc.record({ order: which, by: desk }).map((fields): AttackStep => ({
      kind: 'supplement',
      reference: 'credit',
      offset: false,
      ...fields,
    })),
  },
  { weight: 1, arbitrary: which.map((of): AttackStep => ({ kind: 'cancel', order: of })) },
  { weight: 1, arbitrary: fc.constant<AttackStep>({ kind: 'look' }) },
  { weight: 2, arbitrary: fc.constant<AttackStep>({ kind: 'decide', approve: true }) },
);

/** A payment reported in several wordings, in any order and at any distance, while orders, payers and operators continue. */
const wordings = fc
  .record({
    orders: fc.nat({ max: 2 }),
    amount,
    told,
    coded: fc.constantFrom('not' as const, 'not' as const, 'own' as const, 'before' as const),
    isRounded: fc.boolean(),
    moves: fc.array(fc.record({ rounds: fc.constantFrom(0, 0, 1, 2), step: move }), {
      minLength: 2,
      maxLength: 5,
    }),
  })
  .map(({ orders, amount: of, told: first, coded, isRounded, moves }): AttackCommand => ({
    kind: 'story',
    steps: [
      ...Array.from({ length: orders }, () => order(of)),
      credit(orders > 0 ? 0 : 'none', { amount: of, told: first, coded, isRounded }),
      { kind: 'look' },
    ],
    later: moves,
  }));

/** The desk completes an order by the UTR of a payment that is still to come. It comes in two wordings beside another order of its sum. */
const announced = fc
  .record({
    amount,
    by: desk,
    told,
    reworded: wording,
    rounds: fc.constantFrom(0, 1, 2),
    isLate: fc.boolean(),
  })
  .map(({ amount: of, by, told: first, reworded, rounds, isLate }): AttackCommand => ({
    kind: 'story',
    steps: [order(of), { kind: 'supplement', order: 0, by, reference: 'fresh', offset: false }],
    later: [
      { rounds, step: order(of) },
      {
        rounds: 0,
        step: {
          ...credit('none', { amount: of, told: first, report: isLate ? 'late' : 'now' }),
          isAnnounced: true,
        },
      },
      { rounds: 0, step: repeat(reworded, 'late') },
      { rounds: 0, step: credit('none', { amount: (of + 1) % AMOUNTS.length }) },
    ],
  }));

export const attackCommand: fc.Arbitrary<AttackCommand> = fc.oneof(
  { weight: 8, arbitrary: attackStep },
  { weight: 1, arbitrary: known.map((steps): AttackCommand => ({ kind: 'story', steps, later: [] })) },
  { weight: 1, arbitrary: wordings },
  { weight: 1, arbitrary: announced },
);
