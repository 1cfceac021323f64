import * as fc from 'fast-check';

/** What suppliers, the desk, holds and a gateway may do in the attacker model of payouts. */

export type Side = 'own' | 'rival';
type Says = 'Paid' | 'Rejected' | 'Reversed' | 'Processing';

type Plain =
  | 'pay'
  | 'look'
  | 'debit'
  | 'batch'
  /** A batch with a file that, as far as the platform knows, has not been sent to the bank. */
  | 'unsentBatch'
  | 'export'
  /** The desk takes back a claim that may have been paid. A second person approves the waiting requests. */
  | 'takeBack'
  | 'agree'
  | 'gateway'
  | 'gatewayPays'
  | 'reject'
  | 'withdraw';

type PayoutStep =
  | { readonly kind: Plain }
  /** Money moves for a claim of the first supplier, or the bank pays the batch's file. A debit reports it, in one wording or in two. */
  | { readonly kind: 'moves'; readonly what: 'claim' | 'file'; readonly isToldTwice: boolean }
  /** The supplier says that it paid its claim, with the number of the last movement. */
  | { readonly kind: 'owns' }
  | { readonly kind: 'claim' | 'giveBack'; readonly by: Side }
  /** The batch is called off, with the reason that its file was never sent to the bank. */
  | { readonly kind: 'callOff'; readonly by: 'desk' | 'customerService' }
  /** Puts one superAdmin's account into every row of the file, or brings back the format that two people approved. */
  | { readonly kind: 'format'; readonly isForged: boolean }
  | {
      readonly kind: 'confirm';
      readonly by: Side | 'desk';
      readonly isSeen: boolean;
      readonly reference: 'fresh' | 'debit';
    }
  | { readonly kind: 'file'; readonly by: 'own' | 'desk'; readonly says: Says }
  | { readonly kind: 'confirmRows'; readonly by: 'own' | 'desk' | 'customerService' }
  | { readonly kind: 'hold'; readonly what: 'merchant' | 'supplier'; readonly on: boolean };

export type PayoutAttack =
  | PayoutStep
  /** Steps that directly follow each other and seldom come together by chance. */
  | { readonly kind: 'story'; readonly steps: readonly PayoutStep[] };

const side = fc.constantFrom<Side>('own', 'rival');
const plain = (kind: Plain, weight: number) => ({
  weight,
  arbitrary: fc.record({ kind: fc.constant(kind) }),
});

const step: fc.Arbitrary<PayoutStep> = fc.oneof(
  plain('pay', 3),
  plain('look', 3),
  plain('debit', 2),
  plain('batch', 4),
  plain('unsentBatch', 3),
  plain('export', 1),
  plain('takeBack', 3),
  plain('agree', 2),
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('callOff' as const),
      by: fc.constantFrom('desk' as const, 'customerService' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('format' as const), isForged: fc.boolean() }),
  },
  plain('gateway', 2),
  plain('gatewayPays', 2),
  plain('reject', 2),
  plain('withdraw', 2),
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('claim' as const), by: side }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('giveBack' as const), by: side }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('confirm' as const),
      by: fc.constantFrom('own' as const, 'rival' as const, 'desk' as const, 'desk' as const),
      isSeen: fc.constantFrom(true, true, false),
      reference: fc.constantFrom('fresh' as const, 'debit' as const),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('file' as const),
      by: fc.constantFrom('own' as const, 'desk' as const),
      says: fc.constantFrom<Says>('Paid', 'Paid', 'Rejected', 'Reversed'),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('confirmRows' as const),
      by: fc.constantFrom('own' as const, 'desk' as const, 'customerService' as const),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'owns' as const }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('moves' as const),
      what: fc.constantFrom('claim' as const, 'file' as const),
      isToldTwice: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('hold' as const),
      what: fc.constantFrom('merchant' as const, 'supplier' as const),
      on: fc.constantFrom(true, true, false),
    }),
  },
);

const moves = (what: 'claim' | 'file', isToldTwice: boolean) =>
  ({ kind: 'moves', what, isToldTwice }) as const;
const file = (by: 'own' | 'desk', says: Says) => ({ kind: 'file', by, says }) as const;
const confirmRowsBy = (by: 'own' | 'desk' | 'customerService') => ({ kind: 'confirmRows', by }) as const;
const held = (what: 'merchant' | 'supplier') => ({ kind: 'hold', what, on: true }) as const;
const CALL_OFF = { kind: 'callOff', by: 'desk' } as const;
const claimBy = (by: Side) => ({ kind: 'claim', by }) as const;
const does = (kind: Plain) => ({ kind }) as const;

/** A batch and two files about it, a claim that changes hands, a payment after the refund, a hold before the money moves. */
const story = fc.oneof(
  fc
    .record({
      first: fc.constantFrom('own' as const, 'desk' as const),
      second: fc.constantFrom<Says>('Rejected', 'Reversed'),
      by: fc.constantFrom('desk' as const, 'customerService' as const),
    })
    .map(({ first, second, by }): PayoutStep[] => [
      does('batch'),
      file(first, 'Paid'),
      confirmRowsBy('desk'),
      file('desk', second),
      confirmRowsBy(by),
    ]),
  fc
    .constantFrom<[Side, Side]>(['own', 'rival'], ['rival', 'own'])
    .map(([one, other]): PayoutStep[] => [
      does('pay'),
      { kind: 'claim', by: one },
      does('look'),
      { kind: 'giveBack', by: one },
      { kind: 'claim', by: other },
      { kind: 'confirm', by: 'desk', isSeen: true, reference: 'fresh' },
    ]),
  fc.constant<PayoutStep[]>([does('gateway'), does('reject'), does('gatewayPays')]),
  fc.constantFrom<PayoutStep[]>(
    [does('pay'), claimBy('own'), does('takeBack'), claimBy('rival'), does('takeBack')],
    [does('unsentBatch'), CALL_OFF, does('reject')],
    [does('unsentBatch'), CALL_OFF, does('unsentBatch'), CALL_OFF],
    [
      does('pay'),
      { kind: 'claim', by: 'own' },
      does('debit'),
      does('takeBack'),
      { kind: 'claim', by: 'rival' },
    ],
    [{ kind: 'format', isForged: true }, does('batch'), { kind: 'format', isForged: false }, does('batch')],
    [does('batch'), held('supplier'), does('export')],
    [does('pay'), claimBy('own'), does('batch'), moves('claim', true), { kind: 'owns' }],
    [does('pay'), claimBy('own'), does('batch'), moves('claim', false), { kind: 'giveBack', by: 'own' }],
    [does('unsentBatch'), moves('file', false), CALL_OFF, does('batch')],
    [does('batch'), moves('file', true), does('batch'), file('desk', 'Processing'), confirmRowsBy('desk')],
    [does('withdraw'), held('merchant'), does('withdraw')],
  ),
);

export const payoutAttack: fc.Arbitrary<PayoutAttack> = fc.oneof(
  { weight: 4, arbitrary: step },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('story' as const), steps: story }) },
);
