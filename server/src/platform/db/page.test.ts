import { afterAll, beforeAll, expect, test } from 'vitest';
import { isRefusal } from '../refusal.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { empty, sql } from './database.ts';
import { firstIdAt } from './ids.ts';
import { amountFilter, amountRange, idFilter, type PageInput, readPage, timeFilter } from './page.ts';

const ROWS = 10_050;

let node: TestPlatform;
beforeAll(async () => {
  node = await createTestPlatform();
  // With gaps between the ids, as real ids have.
  await node.owner.query(
    sql`create table things as select g * 7::bigint as id from generate_series(1, ${ROWS}) g`,
  );
  await node.owner.query(sql`grant select on things to public`);
});
afterAll(() => node.close());

async function things(input: PageInput, condition = empty, searched = false) {
  const page = await readPage<{ id: bigint }>(node.platform, input, {
    columns: sql`t.id`,
    from: sql`from things t where true ${condition}`,
    key: sql`t.id`,
    searched,
  });
  if (isRefusal(page)) throw new Error(`refused: ${page.code}`);
  return { ...page, ids: page.list.map((row) => Number(row.id)) };
}

test('pages by cursor are the pages by index', async () => {
  let cursor: string | undefined;
  for (let pageIndex = 1; pageIndex <= 4; pageIndex += 1) {
    const byIndex = await things({ pageIndex, pageSize: 33 });
    const byCursor = await things({ pageIndex, pageSize: 33, cursor });
    expect(byCursor).toEqual(byIndex);
    expect(byIndex.ids[0]).toBe((ROWS - (pageIndex - 1) * 33) * 7);
    cursor = byIndex.nextCursor ?? undefined;
  }
});

test('the last page has no cursor to go on with', async () => {
  const page = await things({ pageSize: 20, cursor: '70' });
  expect(page.ids).toEqual([63, 56, 49, 42, 35, 28, 21, 14, 7]);
  expect(page.nextCursor).toBeNull();
});

test('20 rows a page, unless pageSize or its alias says otherwise', async () => {
  expect((await things({})).ids).toHaveLength(20);
  expect((await things({ pageNum: 5 })).pageSize).toBe(5);
});

test('the total is capped while HighPerfOrderQuery is on, exact while it is off', async () => {
  expect(await things({})).toMatchObject({ total: 10_001, totalCapped: true });
  expect(await things({}, sql`and id <= 700`)).toMatchObject({ total: 100, totalCapped: false });
  expect(await things({}, empty, true)).toMatchObject({ total: 1_001, totalCapped: true });
  expect(await things({}, sql`and id <= 7000`, true)).toMatchObject({ total: 1_000, totalCapped: false });
  await node.platform.settings.write('HighPerfOrderQuery', false, null);
  expect(await things({})).toMatchObject({ total: ROWS, totalCapped: false });
  await node.platform.settings.write('HighPerfOrderQuery', true, null);
});

test('a page further than 10,000 rows on is refused by index, and reached by cursor', async () => {
  expect((await things({ pageIndex: 501, pageSize: 20 })).ids).toHaveLength(20);
  await expect(things({ pageIndex: 502, pageSize: 20 })).rejects.toThrow('invalidInput');
  expect((await things({ pageIndex: 502, pageSize: 20, cursor: '147' })).ids).toHaveLength(20);
});

test('an amount means minor units of the row, with the 0.0001 of the family, without it where there are two decimals', async () => {
  const find = (value: number) =>
    node.platform.db.query<{ name: string }>(sql`
      select name from (values ('inr', 'INR', 12345::bigint), ('kes', 'KES', 12345), ('usdt', 'USDT', 123450000), ('else', 'USDT', 12345))
        as v (name, currency, amount) where true ${amountFilter(sql`amount`, sql`currency`, value)}`);
  expect((await find(123.45)).map((row) => row.name)).toEqual(['inr', 'kes']);
  expect(await find(123.4501)).toHaveLength(3);
  expect(await find(123.46)).toHaveLength(0);
  expect(await find(1e300)).toHaveLength(0);
});

test('a range of amounts includes its ends, in the minor units of each row', async () => {
  const find = async (amountFrom?: string, amountTo?: string) => {
    const rows = await node.platform.db.query<{ name: string }>(sql`
      select name from (values ('inr', 'INR', 12345::bigint), ('kes', 'KES', 12346), ('usdt', 'USDT', 123456789))
        as v (name, currency, amount) where true ${amountRange(sql`amount`, sql`currency`, { amountFrom, amountTo })}`);
    return rows.map(({ name }) => name);
  };
  expect(await find()).toHaveLength(3);
  expect(await find('123.45', '123.45')).toEqual(['inr']);
  expect(await find('123.456789', '123.456789')).toEqual(['usdt']);
  expect(await find('123.456')).toEqual(['kes', 'usdt']);
  expect(await find(undefined, '123.4567')).toEqual(['inr']);
});

test('what cannot be an id finds nothing', async () => {
  expect((await things({}, idFilter(sql`t.id`, '77'))).ids).toEqual([77]);
  for (const text of ['abc', '-7', '9223372036854775808']) {
    expect((await things({}, idFilter(sql`t.id`, text))).ids).toEqual([]);
  }
});

test('a time range includes its last second, or its last day; without a start it goes back the default days', async () => {
  const now = new Date('2026-11-16T06:30:00.000Z');
  const bounds = async (range: { startTime?: string; endTime?: string }, days: number | null) => {
    const at = (text: string) => firstIdAt(new Date(text));
    const moments = [
      '2026-10-16T06:29:59.999Z',
      '2026-10-16T06:30:00.000Z',
      '2026-11-14T18:29:59.999Z',
      '2026-11-14T18:30:00.999Z',
      '2026-11-15T18:29:59.999Z',
      '2026-11-15T18:30:00.000Z',
    ];
    const rows = await node.platform.db.query<{ n: number }>(sql`
      select n::int from unnest(${moments.map(at)}::bigint[]) with ordinality as v (id, n)
      where true ${timeFilter(sql`v.id`, range, now, days)} order by n`);
    return rows.map((row) => row.n);
  };
  expect(await bounds({}, null)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(await bounds({}, 31)).toEqual([2, 3, 4, 5, 6]);
  expect(await bounds({ startTime: '2026-11-15 00:00:00', endTime: '2026-11-15 00:00:00' }, 31)).toEqual([4]);
  expect(await bounds({ startTime: '2026-11-15', endTime: '2026-11-15' }, 31)).toEqual([4, 5]);
  // Later than ids can express.
  expect(await bounds({ startTime: '2026-11-15', endTime: '9999-12-31' }, 31)).toEqual([4, 5, 6]);
  expect(await bounds({ startTime: '9999-01-01' }, 31)).toEqual([]);
  // Partitions made ahead are left out, unless the asked end includes them.
  const ahead = sql`from (values (${firstIdAt(new Date('2026-11-18T00:00:00Z'))}::bigint)) v (id) where true`;
  const found = async (range: { endTime?: string }) =>
    node.platform.db.query(sql`select 1 ${ahead} ${timeFilter(sql`v.id`, range, now, 31)}`);
  expect(await found({})).toHaveLength(0);
  expect(await found({ endTime: '2026-11-30' })).toHaveLength(1);
});

test('texts of a new month are sampled as closely as those of the months before', async () => {
  const rows = await node.platform.db.query<{ target: number }>(sql`
    select distinct a.attstattarget::int as target from pg_inherits i join pg_attribute a on a.attrelid = i.inhrelid
    where i.inhparent = 'collection_orders'::regclass and a.attname in ('user_name', 'subject', 'body')`);
  expect(rows).toEqual([{ target: 1000 }]);
});
