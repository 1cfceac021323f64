import fc from 'fast-check';
import { expect, test } from 'vitest';
import { share, splitFee } from './fees.ts';

test('half a minor unit rounds to even', () => {
  expect(share(50n, 10_000)).toBe(0n); // 0.5
  expect(share(150n, 10_000)).toBe(2n); // 1.5
  expect(share(250n, 10_000)).toBe(2n); // 2.5
  expect(share(251n, 10_000)).toBe(3n); // 2.51
});

const terms = fc.record({
  ratePpm: fc.integer({ min: 0, max: 1_000_000 }),
  fixedFee: fc.bigInt({ min: 0n, max: 10_000n }),
});

test('the parts of a fee add up exactly and the fee never exceeds the amount', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 10n ** 15n }),
      terms,
      terms,
      fc.array(terms, { maxLength: 5 }),
      (amount, merchant, supplier, levels) => {
        const agents = levels.map((each, level) => ({ agentId: BigInt(level), terms: each }));
        const split = splitFee(amount, merchant, supplier, agents);
        expect(split.supplierCommission + split.agentCommission + split.revenue).toBe(split.fee);
        expect(split.agents.reduce((sum, each) => sum + each.amount, 0n)).toBe(split.agentCommission);
        expect(split.agents.every((each) => each.amount > 0n)).toBe(true);
        expect(split.fee).toBeGreaterThanOrEqual(0n);
        expect(split.fee).toBeLessThanOrEqual(amount);
      },
    ),
    { verbose: 1 },
  );
});

test('no commission is more than a tenth of the order, whatever rate and fixed part the terms have', () => {
  const merchant = { ratePpm: 20_000, fixedFee: 0n };
  const greedy = { ratePpm: 90_000, fixedFee: 1_000_00n };
  const split = splitFee(1_000_00n, merchant, greedy, [{ agentId: 1n, terms: greedy }]);
  expect(split).toMatchObject({ fee: 20_00n, supplierCommission: 100_00n, agentCommission: 100_00n });
});
