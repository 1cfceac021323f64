import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEmptyDatabase, type TestDatabase } from '../../testing/database.ts';
import { FakeClock } from '../../testing/clock.ts';
import { type Database, openDatabase, raw, sql } from './database.ts';
import { migrate } from './migrate.ts';
import { makePartitions } from './partitions.ts';
import { APPLICATION_ROLE, grantRights } from './rights.ts';

let server: TestDatabase;
let owner: Database;
let application: Database;
beforeAll(async () => {
  server = await createEmptyDatabase();
  [owner, application] = [openDatabase(server.url), openDatabase(server.applicationUrl)];
  await migrate(server.url);
  await makePartitions({ db: owner, clock: new FakeClock() });
  await grantRights(server.url, APPLICATION_ROLE);
});
afterAll(async () => {
  await Promise.all([owner.close(), application.close()]);
  await server.drop();
});

const DENIED = { code: '42501' };

test.each(['audit_log', 'order_events', 'postings', 'ledger_entries'])(
  'the application changes, deletes and empties nothing of %s, and adds to it',
  async (table) => {
    const name = raw(table);
    for (const statement of [
      sql`update ${name} set id = id`,
      sql`delete from ${name}`,
      sql`truncate ${name}`,
      sql`alter table ${name} disable trigger all`,
      sql`drop table ${name}`,
    ])
      await expect(application.query(statement)).rejects.toMatchObject(DENIED);
    // Inserting is allowed: the row only fails because required values are missing.
    await expect(application.query(sql`insert into ${name} (id) values (1)`)).rejects.toMatchObject({
      code: expect.stringMatching(/^23/) as string,
    });
    expect(await application.query(sql`select count(*)::int as n from ${name}`)).toEqual([{ n: 0 }]);
  },
);

test('of an approval the application may write only the decision', async () => {
  const update = (column: string) =>
    application.query(sql`update approvals set ${raw(column)} = ${raw(column)} where false`);
  for (const column of ['status', 'decided_by', 'decided_at', 'decide_reason', 'result'])
    await update(column);
  for (const column of ['started_by', 'kind', 'payload', 'started_at', 'subject_id'])
    await expect(update(column)).rejects.toMatchObject(DENIED);
  await expect(application.query(sql`delete from approvals`)).rejects.toMatchObject(DENIED);
});

test('the application cannot reach a partition directly or create a table', async () => {
  const [month] = await owner.query<{ name: string }>(sql`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = 'order_events'::regclass limit 1`);
  await expect(application.query(sql`delete from ${raw(month!.name)}`)).rejects.toMatchObject(DENIED);
  await expect(application.query(sql`create table more (id int)`)).rejects.toMatchObject(DENIED);
});

test('a later table is opened by the next start, which changes nothing that is right already', async () => {
  await owner.query(sql`create table later (id int primary key)`);
  await expect(application.query(sql`select from later`)).rejects.toMatchObject(DENIED);
  await grantRights(server.url, APPLICATION_ROLE);
  await application.query(sql`insert into later values (1)`);
  await application.query(sql`update later set id = 2`);
  const versions = () => owner.query(sql`select oid, xmin::text from pg_class order by oid`);
  const before = await versions();
  await grantRights(server.url, APPLICATION_ROLE);
  expect(await versions()).toEqual(before);
});

test('an older node leaves the rights as they are on a database of a newer one', async () => {
  await owner.query(sql`create table sealed_later (id int primary key)`);
  await owner.query(sql`grant select, insert on sealed_later to ${raw(APPLICATION_ROLE)}`);
  await owner.query(sql`insert into schema_migrations (name, sha256) values ('9999_later.sql', '')`);
  expect(await migrate(server.url)).toEqual([]);
  await grantRights(server.url, APPLICATION_ROLE);
  await application.query(sql`insert into sealed_later values (1)`);
  for (const statement of [sql`update sealed_later set id = 2`, sql`delete from sealed_later`])
    await expect(application.query(statement)).rejects.toMatchObject(DENIED);
  await owner.query(sql`delete from schema_migrations where name = '9999_later.sql'`);
});

test('a node without the owner finds all migrations applied, or says which one is missing', async () => {
  expect(await migrate(server.applicationUrl)).toEqual([]);
  await owner.query(sql`delete from schema_migrations where name like '0005%'`);
  await expect(migrate(server.applicationUrl)).rejects.toThrow(/lacks the migration 0005_money.sql/);
});
