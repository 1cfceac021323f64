import { afterAll, beforeAll, expect, test } from 'vitest';
import { rowsOf } from '../audit/leaves.ts';
import { sql } from '../platform/db/database.ts';
import { columnList, columnsOf } from '../platform/db/partitions.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { EventLeaves } from './leaves.ts';
import { copyRows, copyRowsOf, LineWriter, textsOf } from './lines.ts';

let node: TestPlatform;
beforeAll(async () => {
  node = await createTestPlatform();
});
afterAll(() => node.close());

/** Texts that an escape of COPY or JSON could damage. */
const NASTY = [
  '',
  '\\N',
  '\\',
  '\\\\N',
  '"',
  '"\\N"',
  '","',
  ',null,',
  '"]\n["',
  '\t',
  '\n',
  '\r\n',
  '\v',
  '\\v',
  '\b\f',
  '\u0001\u001f',
  '\u007f',
  'null',
  '\\u0022',
  '₹ 500 ✓ 😀',
  '\u2028',
  `\\x41 \\101 '$$'`,
];

async function writeEvents(): Promise<void> {
  const { platform, clock } = node;
  for (const [index, text] of [...NASTY, null].entries()) {
    const data = { text, [text ?? 'none']: [1, null, { 'a b': text }], n: 1.5e10 };
    await platform.db.query(sql`
      insert into order_events (id, order_id, kind, from_status, actor_kind, actor_id, reason, ip, data, created_at)
      values (${platform.ids.next()}, ${index + 1}, 'note', ${index % 2 === 0 ? null : index}, 'user', ${index === 3 ? null : 7}, ${text}, ${text},
        ${JSON.stringify(data)}::jsonb, ${clock.now()}::timestamptz + ${index * 1_001} * interval '1 microsecond')`);
  }
}

/** The table's rows as an archive holds them. */
async function archived(): Promise<{ readonly columns: readonly string[]; readonly lines: Buffer }> {
  const rows: Buffer[] = [];
  const columns = await node.platform.db.tx(async (tx) => {
    await tx.query(sql`set local timezone = 'UTC'`);
    const names = await columnsOf(tx, 'order_events');
    await tx.copyOut(
      sql`copy (select ${columnList(names)} from order_events order by id) to stdout`,
      (row) => {
        rows.push(Buffer.from(row));
        return undefined;
      },
    );
    return names;
  });
  return { columns, lines: new LineWriter().lines(Buffer.concat(rows)) };
}

test('every text is unchanged in the lines of an archive, and after COPY brings it back', async () => {
  await writeEvents();
  const { columns, lines } = await archived();
  const rows = lines.toString().split('\n').map(textsOf);
  expect(rows.map((row) => row[columns.indexOf('reason')])).toEqual([...NASTY, null]);
  const all = () =>
    node.platform.db.query<{ row: string }>(
      sql`select row_to_json(e)::text as row from order_events e order by id`,
    );
  const before = await all();
  await node.owner.query(sql`truncate order_events`);
  await node.owner.tx((tx) =>
    tx.copyIn(sql`copy order_events (${columnList(columns)}) from stdin`, copyRows(rows)),
  );
  expect(await all()).toEqual(before);
  // The other way, which does not parse, for the wanted orders only.
  const wanted = new Set(NASTY.map((_, index) => String(index + 1)));
  const { rows: bytes, count } = copyRowsOf(lines, columns.indexOf('order_id'), wanted);
  expect(count).toBe(NASTY.length);
  await node.owner.query(sql`truncate order_events`);
  await node.owner.tx((tx) => tx.copyIn(sql`copy order_events (${columnList(columns)}) from stdin`, bytes));
  expect(await all()).toEqual(before.slice(0, -1));
  const rest = copyRowsOf(lines, columns.indexOf('order_id'), new Set([String(NASTY.length + 1)]));
  await node.owner.tx((tx) =>
    tx.copyIn(sql`copy order_events (${columnList(columns)}) from stdin`, rest.rows),
  );
  expect(await all()).toEqual(before);
  expect(copyRowsOf(lines, 0, new Set()).rows).toHaveLength(0);
});

test('the hashes of history that leaves are those that the database makes of its rows', async () => {
  const { columns, lines } = await archived();
  const leaves = new EventLeaves(columns);
  leaves.add(lines);
  const sealed = (await rowsOf(node.platform.db, 0n, 1n << 60n)).filter(({ kind }) => kind === 'event');
  expect(sealed).toHaveLength(NASTY.length + 1);
  const bytes = Buffer.concat(leaves.lists());
  const ours = sealed.map((_, at) => [
    bytes.readBigInt64BE(at * 48),
    bytes.subarray(at * 48 + 16, at * 48 + 48).toString('hex'),
  ]);
  expect(ours).toEqual(
    sealed.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ id, hash }) => [id, hash.toString('hex')]),
  );
});

test('a COPY that fails fails its transaction, and one whose reader is slow keeps every row', async () => {
  await expect(
    node.platform.db.tx((tx) => tx.copyOut(sql`copy (select 1 / 0) to stdout`, () => undefined)),
  ).rejects.toThrow(/division by zero/);
  await expect(
    node.owner.tx((tx) => tx.copyIn(sql`copy order_events (id) from stdin`, Buffer.from('x\n'))),
  ).rejects.toThrow(/bigint/);
  let seen = 0;
  const [after] = await node.platform.db.tx(async (tx) => {
    seen = 0;
    await tx.copyOut(
      sql`copy (select g, repeat('x', 500) from generate_series(1, 20000) g) to stdout`,
      () => {
        seen += 1;
        return seen % 5_000 === 0 ? new Promise((resolve) => setTimeout(resolve, 20)) : undefined;
      },
    );
    return tx.query<{ one: number }>(sql`select 1 as one`);
  });
  expect([seen, after]).toEqual([20_000, { one: 1 }]);
});
