import { expect, it } from 'vitest';
import { COLLECTION_STATUS } from '@sangam/contract/orders.ts';
import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import { collectionReply, payoutReply } from './replies.ts';

const order = {
  orderStatusId: COLLECTION_STATUS.allocated,
  reversed: false,
  amount: 500_00,
  payableAmount: 499_87,
  currentReceivedMoney: null,
  payTime: null,
  expireTime: '2026-11-16 12:15:00',
};
const paid = { ...order, currentReceivedMoney: 499_87, payTime: '2026-11-16 12:01:00' };

it('says paid only for a paid order, whatever the state of its callback', () => {
  expect(collectionReply(order)).toEqual({ text: 'waiting', amount: 499_87, time: order.expireTime });
  const { timedOut, callbackFailed, callbackSucceeded } = COLLECTION_STATUS;
  for (const orderStatusId of [timedOut, callbackFailed, callbackSucceeded]) {
    expect(collectionReply({ ...order, orderStatusId }).text).toBe('expired');
    expect(collectionReply({ ...paid, orderStatusId })).toMatchObject({ text: 'paid', time: paid.payTime });
  }
  expect(collectionReply({ ...paid, reversed: true }).text).toBe('reversed');
});

it('calls a payout neither paid nor unpaid while nobody knows', () => {
  const payout = { reversed: false, amount: 100_00, finishTime: null, utr: null };
  const texts = Object.fromEntries(
    Object.entries(PAYOUT_STATUS).map(([name, orderStatusId]) => [
      name,
      payoutReply({ ...payout, orderStatusId }).text,
    ]),
  );
  expect(texts).toEqual({
    waiting: 'payoutUnderWay',
    preparing: 'payoutUnderWay',
    inProgress: 'payoutUnderWay',
    submitted: 'payoutUnderWay',
    rejecting: 'payoutUnderWay',
    completed: 'payoutPaidNoUtr',
    cancelled: 'payoutNotPaid',
    rejected: 'payoutNotPaid',
    toBeConfirmed: 'payoutChecked',
    processingError: 'payoutChecked',
  });
});
