import { describe, expect, test } from 'vitest';
import { neverAcknowledges, planOrders, reactionOf, type PlanOptions } from './plan.ts';

const options: PlanOptions = {
  seed: 7,
  orders: 400,
  rate: 10,
  mischief: 0.5,
  merchants: 2,
  products: [1001, 1010, 1012],
};

describe('planOrders', () => {
  test('the same seed gives the same plan, another seed another plan', () => {
    expect(planOrders(options)).toEqual(planOrders(options));
    expect(planOrders({ ...options, seed: 8 })).not.toEqual(planOrders(options));
  });

  test('a longer run begins with the orders of a shorter one', () => {
    expect(planOrders(options).slice(0, 50)).toEqual(planOrders({ ...options, orders: 50 }));
  });

  test('orders come at the rate asked for, on average', () => {
    const lastMs = planOrders(options).at(-1)!.createAtMs;
    expect(lastMs).toBeGreaterThan(30_000);
    expect(lastMs).toBeLessThan(50_000);
  });

  test('without mischief everybody who pays pays exactly, is told once and answers at once', () => {
    for (const plan of planOrders({ ...options, mischief: 0 })) {
      expect(['exact', 'never']).toContain(plan.payer.pays);
      expect(plan.bank.repeats).toEqual([]);
      expect(reactionOf(plan, 1)).toEqual({ kind: 'success' });
    }
  });

  test('amounts leave room for the paise that make them unique, so a wrong sum fits no other order', () => {
    for (const plan of planOrders(options)) expect(plan.amount % 1_000).toBe(0);
  });

  test('a merchant that acknowledges at all does so within three attempts', () => {
    for (const plan of planOrders({ ...options, mischief: 1 })) {
      const answers = [1, 2, 3].map((attempt) => reactionOf(plan, attempt).kind);
      expect(answers.includes('success') || answers.includes('slow'), plan.endpoint).toBe(
        !neverAcknowledges(plan),
      );
    }
  });
});
