import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runsOf, SEED } from '../../testing/seed.ts';
import { compareStatement, type ReportedMovement } from './compare.ts';
import type { StatementLine } from './read-statement.ts';

const DAYS = ['2026-10-31', '2026-11-01', '2026-11-02', '2026-11-04'];

const movement = {
  day: fc.constantFrom(...DAYS),
  direction: fc.constantFrom('credit' as const, 'debit' as const),
  amount: fc.constantFrom(100n, 200n),
  balance: fc.constantFrom(null, 500n, 600n),
  reference: fc.constantFrom(null, '1', '2', '3'),
};
const lines = fc.array(fc.record({ ...movement, row: fc.nat(), narration: fc.constant('') }), {
  maxLength: 12,
});
const told = fc
  .array(fc.record({ ...movement, orderId: fc.constant(null), text: fc.constant('') }), { maxLength: 12 })
  .map((all) => all.map((each, index) => ({ ...each, messageId: BigInt(index) })));

/** The written rule, applied to each line and each message. */
function byRule(all: readonly StatementLine[], movements: readonly ReportedMovement[]): (bigint | null)[] {
  const open = new Set(movements);
  const found = new Map<StatementLine, bigint>();
  const take = (line: StatementLine, one: ReportedMovement | undefined) => {
    if (!one) return;
    found.set(line, one.messageId);
    open.delete(one);
  };
  for (const line of all) {
    const same = [...open].filter(
      ({ reference, direction }) =>
        reference !== null && reference === line.reference && direction === line.direction,
    );
    take(line, same.find(({ amount }) => amount === line.amount) ?? same[0]);
  }
  for (const line of all.filter((each) => !found.has(each))) {
    const alike = [...open].filter(
      ({ reference, direction, amount, day }) =>
        direction === line.direction &&
        amount === line.amount &&
        Math.abs(Date.parse(day) - Date.parse(line.day)) <= 86_400_000 &&
        (reference === null || line.reference === null),
    );
    take(
      line,
      alike.find(({ balance }) => balance !== null && balance === line.balance) ??
        alike.find(({ day }) => day === line.day) ??
        alike[0],
    );
  }
  return all.map((line) => found.get(line) ?? null);
}

test(`each line finds the message that the rule gives it (SEED=${SEED})`, () => {
  fc.assert(
    fc.property(lines, told, (all, movements) => {
      const compared = compareStatement(all, movements).filter(({ row }) => row !== null);
      expect(compared.map(({ messageId }) => messageId)).toEqual(byRule(all, movements));
    }),
    { seed: SEED, numRuns: runsOf(2_000) },
  );
});

test('sixty thousand lines of one sum and day find sixty thousand messages, no message looked at for each line', () => {
  const count = 60_000;
  const one = { day: DAYS[0]!, direction: 'credit', amount: 100n, balance: null } as const;
  let looks = 0;
  const compared = compareStatement(
    Array.from({ length: count }, (_, row) => ({ ...one, row, narration: '', reference: `L${row}` })),
    Array.from({ length: count }, (_, index) => ({
      ...one,
      messageId: BigInt(index),
      orderId: null,
      text: '',
      reference: null,
      get amount() {
        looks += 1;
        return one.amount;
      },
    })),
  );
  expect(compared.map(({ messageId }) => messageId)).toEqual(
    Array.from({ length: count }, (_, index) => BigInt(index)),
  );
  // If each line passed over all taken messages again, the test would end at its time limit: 20 s instead of 0.5 s.
  expect(looks).toBeLessThan(10 * count);
});
