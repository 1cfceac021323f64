import { expect, it } from 'vitest';
import { mergeLive } from './live-rows.ts';

const row = (id: string, status = 0) => ({ id, status });
const keyOf = ({ id }: { id: string }) => id;
type Row = ReturnType<typeof row>;
const shown = (...rows: Row[]) => ({ rows, nextCursor: rows.at(-1)?.id ?? null });
const answer = (...list: Row[]) => ({ list, nextCursor: list.at(-1)?.id ?? null });

it('shows new rows while the reader is at rest, and marks them', () => {
  const merged = mergeLive(
    shown(row('3'), row('2'), row('1')),
    answer(row('5'), row('4'), row('3')),
    keyOf,
    true,
  );
  expect(merged.rows.map(keyOf)).toEqual(['5', '4', '3']);
  expect([...merged.fresh]).toEqual(['5', '4']);
  expect(merged.waiting).toBe(0);
  expect(merged.nextCursor).toBe('3');
});

it('keeps the rows in place while the reader is busy, but updates them', () => {
  const merged = mergeLive(
    shown(row('3'), row('2'), row('1')),
    answer(row('4'), row('3', 6), row('2')),
    keyOf,
    false,
  );
  expect(merged.rows).toEqual([row('3', 6), row('2'), row('1')]);
  expect(merged.waiting).toBe(1);
  expect(merged.fresh.size).toBe(0);
});

it('continues after the rows that are shown, not after those of an answer that is held back', () => {
  const merged = mergeLive(
    shown(row('10'), row('9'), row('8')),
    answer(row('10'), row('8'), row('6')),
    keyOf,
    false,
  );
  expect(merged.rows.map(keyOf)).toEqual(['10', '9', '8']);
  expect(merged.nextCursor).toBe('8');
});

it('counts a whole page as new when nothing shown is left on it', () => {
  expect(mergeLive(shown(row('1')), answer(row('9'), row('8')), keyOf, false).waiting).toBe(2);
});

it('does not count older rows as new that moved up because others left', () => {
  const merged = mergeLive(shown(row('3'), row('2')), answer(row('2'), row('1')), keyOf, false);
  expect(merged.waiting).toBe(0);
});

it('shows rows of an empty list at once', () => {
  const merged = mergeLive(shown(), answer(row('1')), keyOf, false);
  expect(merged).toMatchObject({ rows: [row('1')], nextCursor: '1', waiting: 0 });
});
