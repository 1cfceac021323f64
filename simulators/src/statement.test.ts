import { describe, expect, test } from 'vitest';
import type { ReceivedNotification } from './merchant/merchant-endpoint.ts';
import type { MerchantClient } from './merchant/merchant-client.ts';
import type { OrderLife, SentMessage } from './order-life.ts';
import { planOrders, type EndpointPlan, type OrderPlan, type PayerPlan } from './plan.ts';
import { isExplained, makeStatement, printStatement } from './statement.ts';

const [aPlan] = planOrders({ seed: 1, orders: 1, rate: 1, mischief: 0, merchants: 1, products: [1010] });

function orderOf(
  pays: PayerPlan['pays'],
  changes: Partial<OrderLife> = {},
  endpoint: EndpointPlan = 'success',
): OrderLife {
  return {
    plan: { ...aPlan!, payer: { ...aPlan!.payer, pays }, endpoint, desk: 'nothing' },
    mchId: '10001',
    client: {} as MerchantClient,
    mchOrderNo: 'A-1',
    created: {
      orderCode: '500',
      payUrl: 'http://127.0.0.1/pay/x',
      payParams: {
        payableAmount: 10_001,
        currency: 'INR',
        identifyCode: 'SABC',
        expireTime: '2026-11-20 12:00:00',
      },
    },
    account: '3816',
    refusal: null,
    paid: pays === 'never' ? null : 10_001,
    said: null,
    error: null,
    queried: { orderCode: '500', mchOrderNo: 'A-1', amount: 10_000, realAmount: null, status: 0, utr: null },
    ...changes,
  };
}

const credited = {
  queried: { orderCode: '500', mchOrderNo: 'A-1', amount: 10_000, realAmount: 10_001, status: 1, utr: null },
};

function messageOf(order: OrderLife, state = 'matched', orderCode = '500'): SentMessage {
  const result = { messageId: 'm', state, ...(state === 'matched' ? { orderCode } : {}) };
  return {
    messageId: 'm',
    sender: 'VM-HDFCBK-S',
    text: 'x',
    amount: order.paid,
    account: '3816',
    order,
    kind: 'first',
    result,
  };
}

function notificationOf(changes: Partial<ReceivedNotification> = {}): ReceivedNotification {
  const fields = { realAmount: '10001', status: '1' };
  return {
    mchId: '10001',
    mchOrderNo: 'A-1',
    fields,
    signatureValid: true,
    attempt: 1,
    reaction: 'success',
    acknowledged: true,
    ...changes,
  };
}

describe('makeStatement', () => {
  const takenBack = {
    ...orderOf('exact', { queried: { ...credited.queried, status: 2 } }),
    plan: { ...aPlan!, desk: 'reverse' as const },
  };
  const reversal = notificationOf({ fields: { realAmount: '10001', status: '2' } });

  test('a planned reversal counts as credited and reversed', () => {
    const statement = makeStatement([takenBack], [messageOf(takenBack)], [notificationOf(), reversal]);
    expect(statement).toMatchObject({ credited: 1, reversed: 1, residue: [] });
    expect(isExplained(statement)).toBe(true);
  });

  test('an order of the desk is credited on its receipt alone', () => {
    const order = {
      ...orderOf('exact', { ...credited, said: 10_001 }),
      plan: { ...aPlan!, desk: 'supplement' as const },
    };
    const statement = makeStatement([order], [], [notificationOf()]);
    expect(statement).toMatchObject({ credited: 1, supplemented: 1, evidenceSum: 10_001, residue: [] });
    expect(isExplained(statement)).toBe(true);
  });

  /** An order with the claim of the desk or a supplier, and the bank's later message. */
  const saidOf = (changes: Partial<OrderPlan>, paid: number | null, told: string | null) => {
    const order = {
      ...orderOf('exact', { ...credited, said: 10_001, paid }),
      plan: { ...aPlan!, ...changes },
    };
    const messages = told === null ? [] : [{ ...messageOf(order, told), kind: 'contradiction' as const }];
    return makeStatement([order], messages, [notificationOf()]);
  };

  test("money credited beyond the bank's book is explained: a contradiction that people see, or a supplier's own deposit", () => {
    const contradicted = saidOf({ desk: 'otherAmount' }, 963, 'ambiguous');
    expect(contradicted).toMatchObject({ beyondSum: 9_038, residue: [{ explained: true }] });
    expect(isExplained(contradicted)).toBe(true);
    const own = saidOf({ forged: 'insider', colludes: 'deposit' }, null, null);
    expect(own).toMatchObject({ beyondSum: 10_001, residue: [{ explained: true }] });
    expect(isExplained(own)).toBe(true);
  });

  test('a contradiction that no person is shown is unexplained', () => {
    expect(saidOf({ desk: 'otherAmount' }, 963, 'duplicate').residue[0]).toMatchObject({ explained: false });
    expect(saidOf({ desk: 'otherAccount' }, 10_001, null).residue[0]).toMatchObject({ explained: false });
  });

  test('an ambiguous credit is explained only while another order with the same sum exists', () => {
    const order = orderOf('exact');
    const other = { ...orderOf('exact', credited), mchOrderNo: 'A-2' };
    const waits = messageOf(order, 'ambiguous');
    const lines = (messages: readonly SentMessage[]) => makeStatement([order], messages, []).residue;
    expect(lines([waits, messageOf(other)])).toMatchObject([{ explained: true }]);
    expect(lines([waits])).toMatchObject([{ explained: false }]);
    expect(lines([waits, { ...messageOf(other), account: '0527' }])).toMatchObject([{ explained: false }]);
    // A slow credit may belong to an ended order of the same sum.
    const ended = { ...orderOf('never'), mchOrderNo: 'A-4' };
    expect(makeStatement([order, ended], [waits], []).residue[0]).toMatchObject({ explained: true });
    const supplemented = { ...orderOf('exact', { ...credited, said: 10_001 }), mchOrderNo: 'A-3' };
    const { residue } = makeStatement(
      [order, supplemented],
      [waits],
      [notificationOf({ mchOrderNo: 'A-3' })],
    );
    expect(residue[0]).toMatchObject({ explained: true });
    // The message of a supplemented order may still come with the order's amount.
    const ofAmount = { ...supplemented, said: 9_999, plan: { ...order.plan, amount: 10_001 } };
    const elsewhere = {
      ...order.created!,
      payParams: { ...order.created!.payParams, payableAmount: 9_999 },
    };
    expect(makeStatement([order, { ...ofAmount, created: elsewhere }], [waits], []).residue[0]).toMatchObject(
      { explained: true },
    );
  });

  test('an order that went the whole way leaves no residue', () => {
    const order = orderOf('exact', credited);
    const statement = makeStatement([order], [messageOf(order)], [notificationOf()]);
    expect(statement).toMatchObject({
      created: 1,
      allocated: 1,
      paid: 1,
      credited: 1,
      notified: 1,
      acknowledged: 1,
      residue: [],
    });
    expect(isExplained(statement)).toBe(true);
  });

  test.each([
    ['not paid', orderOf('never'), [], []],
    ['instead of', orderOf('wrong'), [], []],
    [
      'never acknowledges',
      orderOf('exact', credited, 'hangs'),
      ['m'],
      [notificationOf({ acknowledged: false })],
    ],
  ])('what was done on purpose is explained: %s', (why, order, told, notifications) => {
    const statement = makeStatement(
      [order],
      told.map(() => messageOf(order)),
      notifications,
    );
    expect(statement.residue).toHaveLength(1);
    expect(statement.residue[0]!.why).toContain(why);
    expect(isExplained(statement)).toBe(true);
  });

  const paid = orderOf('exact', credited);
  const another = { ...orderOf('exact'), mchOrderNo: 'A-2' };
  test.each([
    ['not credited', orderOf('exact'), [], []],
    ['sent nothing that could pay', orderOf('never', credited), [], []],
    ['no bank message', paid, [], [notificationOf()]],
    ['by the money of', paid, [messageOf(another)], [notificationOf()]],
    ['never notified', paid, [messageOf(paid)], []],
    ['wrong signature', paid, [messageOf(paid)], [notificationOf({ signatureValid: false })]],
    ['realAmount 1', paid, [messageOf(paid)], [notificationOf({ fields: { realAmount: '1', status: '1' } })]],
    [
      'taken back by nobody',
      orderOf('exact', { queried: { ...credited.queried, status: 2 } }),
      [messageOf(paid)],
      [notificationOf(), reversal],
    ],
    ['success came too late', takenBack, [messageOf(takenBack)], [notificationOf()]],
    ['refused: 1105', orderOf('exact', { created: null, refusal: '1105 no account' }), [], []],
  ])('what should not be is not: %s', (why, order, messages, notifications) => {
    const statement = makeStatement([order], messages, notifications);
    expect(statement.residue.find(({ explained }) => !explained)?.why).toContain(why);
    expect(isExplained(statement)).toBe(false);
    expect(printStatement(statement)).toContain('UNEXPLAINED');
  });
});
