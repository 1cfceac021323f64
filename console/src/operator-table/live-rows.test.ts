import { expect, it } from 'vitest';
import { mergeLive } from './live-rows.ts';

const row = (id: string, status = 0) => ({ id, status });
const keyOf = ({ id }: { id: string }) => id;

it('lets new rows in while the reader is at rest, and names them', () => {
  const merged = mergeLive([row('3'), row('2'), row('1')], [row('5'), row('4'), row('3')], keyOf, true);
  expect(merged.rows.map(keyOf)).toEqual(['5', '4', '3']);
  expect([...merged.fresh]).toEqual(['5', '4']);
  expect(merged.waiting).toBe(0);
});

it('keeps the rows where they are while the reader looks, but brings them up to date', () => {
  const merged = mergeLive([row('3'), row('2'), row('1')], [row('4'), row('3', 6), row('2')], keyOf, false);
  expect(merged.rows).toEqual([row('3', 6), row('2'), row('1')]);
  expect(merged.waiting).toBe(1);
  expect(merged.fresh.size).toBe(0);
});

it('counts a whole page as new when nothing shown is left on it', () => {
  expect(mergeLive([row('1')], [row('9'), row('8')], keyOf, false).waiting).toBe(2);
});

it('does not call older rows new that moved up because others left', () => {
  const merged = mergeLive([row('3'), row('2')], [row('2'), row('1')], keyOf, false);
  expect(merged.waiting).toBe(0);
});

it('shows at once what comes into an empty list', () => {
  expect(mergeLive([], [row('1')], keyOf, false)).toMatchObject({ rows: [row('1')], waiting: 0 });
});
