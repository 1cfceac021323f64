import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { type Database, openDatabase, sql } from './database.ts';
import { firstIdAt } from './ids.ts';
import { ensurePartitions } from './partitions.ts';

let server: TestDatabase;
let db: Database;
let other: Database;
beforeAll(async () => {
  server = await createTestDatabase();
  [db, other] = [openDatabase(server.url), openDatabase(server.url)];
});
afterAll(async () => {
  await Promise.all([db.close(), other.close()]);
  await server.drop();
});

const month = new Date('2031-03-01T00:00:00Z');
const made = async () =>
  (
    await db.query<{ name: string }>(sql`
      select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where c.relname like '%\\_203103'`)
  ).map(({ name }) => name);

test('beside a transaction that has read every table, writers go on and each partition is made when it can be', async () => {
  let done: () => void = () => undefined;
  const read = new Promise<void>((resolve) => (done = resolve));
  const reader = other.tx(async (tx) => {
    for (const table of ['collection_orders', 'ledger_entries', 'messages', 'order_events'] as const)
      await tx.query(sql`select count(*) from ${tableOf(table)}`);
    await read;
  });
  const making = Promise.all([ensurePartitions(db, month, month), ensurePartitions(other, month, month)]);
  for (let n = 0; n < 30; n += 1) {
    // Takes the lock that a writer takes.
    const table = n % 2 === 0 ? sql`ledger_entries` : sql`collection_orders`;
    await other.tx((tx) => tx.query(sql`lock table ${table} in row exclusive mode`));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  // The reader has not ended yet: no writer waited for it.
  done();
  await reader;
  await making;
  expect((await made()).length).toBe(8);
}, 60_000);

test('a partition has the indexes and limits of its table', async () => {
  const definition = (name: string) =>
    db.query<{ what: string }>(sql`
      select replace(pg_get_indexdef(indexrelid), ${name}, 't') as what from pg_index where indrelid = ${name}::regclass`);
  const shape = async (name: string) =>
    (await definition(name))
      .map(({ what }) => what.replace(/ (INDEX) \S+ /, ' $1 ').replace(' ONLY', ''))
      .sort();
  for (const table of ['collection_orders', 'ledger_entries', 'messages'])
    expect(await shape(`${table}_203103`)).toEqual(await shape(table));
  const [row] = await db.query<{ low: bigint }>(sql`select ${firstIdAt(month)}::bigint as low`);
  expect(row!.low).toBe(firstIdAt(month));
});

function tableOf(name: 'collection_orders' | 'ledger_entries' | 'messages' | 'order_events') {
  return {
    collection_orders: sql`collection_orders`,
    ledger_entries: sql`ledger_entries`,
    messages: sql`messages`,
    order_events: sql`order_events`,
  }[name];
}
