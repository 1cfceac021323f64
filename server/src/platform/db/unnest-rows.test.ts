import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { sql } from './database.ts';
import { columnNames, unnestRows } from './unnest-rows.ts';

let node: TestPlatform;
beforeAll(async () => {
  node = await createTestPlatform();
});
afterAll(() => node.close());

const COLUMNS = {
  orderId: 'bigint',
  kind: 'text',
  isOpen: 'boolean',
  movedAt: 'timestamptz',
  data: 'jsonb',
} as const;
const AT = new Date('2026-11-16T06:30:00Z');

test('rows come back as they went in, nulls and JSON too', async () => {
  const rows = [
    { orderId: 1n, kind: 'a,"b"\\{}', isOpen: true, movedAt: AT, data: { text: 'x', list: [1, null] } },
    { orderId: 2n ** 62n, kind: null, isOpen: null, movedAt: null, data: null },
  ];
  const found = await node.platform.db.query(sql`
    select order_id as "orderId", kind, is_open as "isOpen", moved_at as "movedAt", data from ${unnestRows(COLUMNS, rows)}`);
  expect(found).toEqual(rows);
});

test('one text serves any number of rows, and the names are those of its columns', () => {
  const row = { orderId: 1n, kind: 'a', isOpen: true, movedAt: AT, data: [] };
  expect(unnestRows(COLUMNS, []).text).toBe(unnestRows(COLUMNS, [row, row]).text);
  expect(unnestRows({ orderId: 'bigint' }, [row], 'w').text).toBe('unnest($1::bigint[]) as w (order_id)');
  expect(columnNames(COLUMNS).text).toBe('order_id, kind, is_open, moved_at, data');
});
