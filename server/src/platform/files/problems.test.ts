import { expect, test } from 'vitest';
import { problem, refuseFile } from './problems.ts';

test('a refused file names its first hundred rows and the number of the rest, and a cell stands as it was written', () => {
  const problems = Array.from({ length: 130 }, (_, at) => problem(at + 2, 'amountUnreadable', "$&1$'"));
  const { rows } = refuseFile(problems, 'en-US').data as { rows: { row: number; problem: string }[] };
  expect(rows).toHaveLength(101);
  expect(rows[0]).toEqual({ row: 2, problem: "Amount cannot be read: $&1$'" });
  expect(rows.at(-1)).toEqual({ row: 0, problem: 'And 30 more problems' });
});
