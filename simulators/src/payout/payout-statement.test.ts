import { expect, test } from 'vitest';
import type { ReceivedNotification } from '../merchant/merchant-endpoint.ts';
import type { MerchantClient, QueriedOrder } from '../merchant/merchant-client.ts';
import type { SentMessage } from '../order-life.ts';
import { mayStayUnproven, type PayoutLife } from './payout-life.ts';
import { planPayouts } from './payout-plan.ts';
import { isPayoutsExplained, makePayoutStatement } from './payout-statement.ts';

const [plan] = planPayouts({ seed: 1, payouts: 1, durationMs: 0, mischief: 0, merchants: 1 });

const asked = { orderCode: '700', mchOrderNo: 'P-1', amount: 50_000 };
const paidOut: QueriedOrder = { ...asked, realAmount: 50_000, status: 1, utr: '632500000001' };
const refunded: QueriedOrder = { ...asked, realAmount: null, status: 2, utr: null };

function payoutOf(changes: Partial<PayoutLife> = {}): PayoutLife {
  return {
    plan: { ...plan!, course: 'paid', takenBack: false },
    mchId: '10001',
    client: {} as MerchantClient,
    mchOrderNo: 'P-1',
    orderCode: '700',
    refusal: null,
    paid: { amount: 50_000, utr: '632500000001' },
    claimsWon: null,
    error: null,
    queried: paidOut,
    row: { orderStatusId: 3, reversed: false, unproven: false },
    ...changes,
  };
}

function toldWith(status: string, changes: Partial<ReceivedNotification> = {}): ReceivedNotification {
  return {
    mchId: '10001',
    mchOrderNo: 'P-1',
    fields: { status },
    signatureValid: true,
    attempt: 1,
    reaction: 'success',
    acknowledged: true,
    ...changes,
  };
}

test('payouts that were paid or refunded as planned leave no residue', () => {
  const rejected = payoutOf({
    plan: { ...plan!, course: 'rejected', takenBack: false },
    paid: null,
    queried: refunded,
    row: { orderStatusId: 6, reversed: false, unproven: false },
  });
  for (const [payout, status] of [
    [payoutOf(), '1'],
    [rejected, '2'],
  ] as const) {
    const statement = makePayoutStatement([payout], [], [toldWith(status)]);
    expect(statement.residue).toEqual([]);
    expect(isPayoutsExplained(statement)).toBe(true);
  }
});

test('a reversed payout, and one stuck at the gateway, are explained', () => {
  const takenBack = payoutOf({
    plan: { ...plan!, course: 'batch', batchEnd: 'paid', takenBack: true },
    queried: refunded,
    row: { orderStatusId: 6, reversed: true, unproven: false },
  });
  const back = makePayoutStatement([takenBack], [], [toldWith('1'), toldWith('2')]);
  expect([back.residue, back.takenBack, isPayoutsExplained(back)]).toEqual([[], 1, true]);
  const unreported = makePayoutStatement([takenBack], [], [toldWith('1')]);
  expect(isPayoutsExplained(unreported)).toBe(false);
  const stuck = payoutOf({
    plan: { ...plan!, course: 'gateway', gatewayEnd: 'stuck', takenBack: false },
    paid: null,
    queried: { ...asked, realAmount: null, status: 0, utr: null },
    row: { orderStatusId: 2, reversed: false },
  });
  const open = makePayoutStatement([stuck], [], []);
  expect([open.residue.length, isPayoutsExplained(open)]).toEqual([1, true]);
  const filed = payoutOf({
    plan: { ...plan!, course: 'batch', batchEnd: 'paid', takenBack: false },
    row: { orderStatusId: 3, reversed: false, unproven: true },
  });
  const byFile = makePayoutStatement([filed], [], [toldWith('1')]);
  expect([byFile.residue.length, isPayoutsExplained(byFile)]).toEqual([1, true]);
});

const creditOfDebit: SentMessage = {
  messageId: 'm',
  sender: 'x',
  text: 'x',
  amount: 50_000,
  order: null,
  account: '3816',
  kind: 'debit',
  result: { messageId: 'm', state: 'matched', orderCode: '1' },
};

test.each([
  ['2 suppliers hold', payoutOf({ claimsWon: 2 }), [toldWith('1')], []],
  ['stands at 2', payoutOf({ queried: refunded }), [toldWith('2')], []],
  ['the merchant is told 1', payoutOf({ queried: { ...paidOut, realAmount: 1 } }), [toldWith('1')], []],
  [
    'still unproven',
    payoutOf({ row: { orderStatusId: 3, reversed: false, unproven: true } }),
    [toldWith('1')],
    [],
  ],
  ['notified with status 2', payoutOf(), [toldWith('2')], []],
  ['never notified', payoutOf(), [toldWith('1', { acknowledged: false })], []],
  ['a debit was matched', payoutOf(), [toldWith('1')], [creditOfDebit]],
  ['payout refused: 1203', payoutOf({ orderCode: null, refusal: '1203' }), [], []],
] as const)('what should not be is not: %s', (why, payout, notifications, messages) => {
  const statement = makePayoutStatement([payout], messages, notifications);
  expect(statement.residue[0]?.why).toContain(why);
  expect(isPayoutsExplained(statement)).toBe(false);
});

test('a payout that the desk accepted beside a gap is in the residue, explained', () => {
  const statement = makePayoutStatement([payoutOf({ isAccepted: true })], [], [toldWith('1')]);
  expect(statement.residue).toHaveLength(1);
  expect(isPayoutsExplained(statement)).toBe(true);
});

test('only a lost message, or one that states no balance, lets a payout stay unproven', () => {
  const entry = { kind: 'told', amount: -50_000, balance: 0, states: true } as const;
  expect(mayStayUnproven(payoutOf())).toBe(false);
  expect(mayStayUnproven(payoutOf({ book: [entry] }))).toBe(false);
  expect(mayStayUnproven(payoutOf({ book: [entry, { ...entry, kind: 'lost' }] }))).toBe(true);
  expect(mayStayUnproven(payoutOf({ book: [entry, { ...entry, states: false }] }))).toBe(true);
});

test('a payout with an invented UTR stays unproven, and is named in the residue', () => {
  const invented = (unproven: boolean) =>
    makePayoutStatement(
      [
        payoutOf({
          plan: { ...plan!, course: 'invented', takenBack: false, amount: 50_000 },
          paid: null,
          invented: '632500000001',
          row: { orderStatusId: 3, reversed: false, unproven },
        }),
      ],
      [],
      [toldWith('1')],
    );
  expect(invented(true)).toMatchObject({ invented: 1, inventedSum: 50_000, residue: [{ explained: true }] });
  expect(isPayoutsExplained(invented(true))).toBe(true);
  expect(isPayoutsExplained(invented(false))).toBe(false);
});
