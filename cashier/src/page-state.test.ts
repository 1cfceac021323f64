import { expect, test } from 'vitest';
import type { Fetched, PayPage } from './api.ts';
import { INITIAL, pollDelay, reduce, stageOf, type PageState } from './page-state.ts';

const payParams = {
  payableAmount: 100_037,
  currency: 'INR',
  identifyCode: 'SG7K2M',
  expireTime: '2026-11-20 12:15:00',
  vpa: 'ravi@okaxis',
  upiLink: 'upi://pay?pa=ravi@okaxis',
} as const satisfies PayPage['payParams'];

const waiting: PayPage = {
  state: 'waiting',
  orderCode: 'P1',
  productId: 1010,
  channel: 'upi',
  merchantName: 'Saffron Games',
  subject: null,
  amount: 100_000,
  currency: 'INR',
  payParams,
  remainingMs: 60_000,
  submittedUtr: null,
  payTime: null,
  returnUrl: null,
  contactInfo: '',
  qrVersion: null,
  needsName: false,
  takesPicture: false,
  demoBank: false,
};

const got = (changes: Partial<PayPage> = {}, deadline = 60_000): Fetched => ({
  kind: 'page',
  page: { ...waiting, ...changes },
  deadline,
});
const lost: Fetched = { kind: 'unreachable' };
const run = (...answers: Fetched[]): PageState =>
  answers.reduce((state, fetched) => reduce(state, { kind: 'fetched', fetched }), INITIAL);

test('the first answer decides between order, unknown and unreachable', () => {
  expect(run(got())).toMatchObject({ kind: 'order', detailsChanged: false });
  expect(run({ kind: 'unknown' })).toEqual({ kind: 'unknown', failures: 0 });
  expect(run(lost, lost)).toEqual({ kind: 'unreachable', failures: 2 });
});

test('a lost connection keeps the order on the screen, and the next answer resets the failures', () => {
  expect(run(got(), lost, lost)).toMatchObject({ kind: 'order', failures: 2, page: waiting });
  expect(run(got(), lost, got())).toMatchObject({ kind: 'order', failures: 0 });
});

test('paid is final, whatever answers come late', () => {
  for (const late of [got(), got({ state: 'timedOut' }), lost, { kind: 'unknown' } as const]) {
    expect(run(got(), got({ state: 'paid' }), late)).toMatchObject({ page: { state: 'paid' }, failures: 0 });
  }
});

test('a change of account is reported; an account that appears or disappears is not', () => {
  const other = { ...payParams, vpa: 'meena@ybl', upiLink: 'upi://pay?pa=meena@ybl' };
  expect(run(got(), got({ payParams: other }))).toMatchObject({ detailsChanged: true });
  expect(run(got(), got({ payParams: other }), got({ payParams: other }))).toMatchObject({
    detailsChanged: true,
  });
  expect(run(got(), got({ payParams: null }), got({ payParams: other }))).toMatchObject({
    detailsChanged: true,
  });
  expect(run(got(), got({ state: 'timedOut', payParams: null }))).toMatchObject({ detailsChanged: false });
  expect(run(got({ state: 'preparing', payParams: null }), got())).toMatchObject({ detailsChanged: false });
  expect(run(got(), got({ payParams: { ...payParams, expireTime: '2026-11-20 12:30:00' } }))).toMatchObject({
    detailsChanged: false,
  });
});

test('a submitted UTR shows at once', () => {
  expect(reduce(run(got()), { kind: 'submitted', utr: '521512345678' })).toMatchObject({
    page: { submittedUtr: '521512345678' },
  });
  expect(reduce(INITIAL, { kind: 'submitted', utr: '521512345678' })).toBe(INITIAL);
});

test('the page does not ask for payment after the countdown', () => {
  expect(stageOf(waiting, false)).toBe('waiting');
  expect(stageOf(waiting, true)).toBe('timedOut');
  expect(stageOf({ ...waiting, payParams: null }, false)).toBe('preparing');
  expect(stageOf({ ...waiting, state: 'paid' }, true)).toBe('paid');
  expect(stageOf({ ...waiting, state: 'failed' }, true)).toBe('failed');
});

test('polls every 3 s, backs off to 30 s, stops when nothing can change', () => {
  expect(pollDelay(run(got()), 0.5)).toBe(3000);
  expect(pollDelay(run(got({ state: 'timedOut' })), 0.5)).toBe(10_000);
  expect([1, 2, 3, 4, 5, 9].map((failures) => pollDelay({ kind: 'unreachable', failures }, 0.5))).toEqual([
    3000, 6000, 12_000, 24_000, 30_000, 30_000,
  ]);
  expect(pollDelay({ kind: 'unreachable', failures: 1 }, 0)).toBe(2400);
  expect(pollDelay({ kind: 'unreachable', failures: 1 }, 1)).toBe(3600);
  expect(pollDelay(run(got({ state: 'paid' })), 0.5)).toBeUndefined();
  expect(pollDelay(run({ kind: 'unknown' }), 0.5)).toBeUndefined();
});
