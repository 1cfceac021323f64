import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEmptyDatabase, type TestDatabase } from '../../testing/database.ts';
import { migrate } from './migrate.ts';

let database: TestDatabase;
let folder: string;

beforeEach(async () => {
  database = await createEmptyDatabase();
  folder = await mkdtemp(join(tmpdir(), 'sangam-migrations-'));
});
afterEach(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

async function files(contents: Record<string, string>): Promise<void> {
  for (const [name, sql] of Object.entries(contents)) await writeFile(join(folder, name), sql);
}

async function query<Row extends object>(sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<Row>(sql);
  await client.end();
  return rows;
}

test('applies what is new in order, once', async () => {
  await files({
    '0002_b.sql': 'alter table a add column y int',
    '0001_a.sql': 'create table a (x int); select 1',
  });
  expect(await migrate(database.url, folder)).toEqual(['0001_a.sql', '0002_b.sql']);
  expect(await migrate(database.url, folder)).toEqual([]);
  await files({ '0003_c.sql': 'drop table a' });
  expect(await migrate(database.url, folder)).toEqual(['0003_c.sql']);
});

test('nodes that start at once apply each file once', async () => {
  await files({
    '0001_a.sql': 'create table a (x int); select pg_sleep(0.1)',
    '0002_b.sql': 'insert into a values (1)',
    '0003_c.sql': 'insert into a values (2)',
  });
  const applied = await Promise.all(Array.from({ length: 4 }, () => migrate(database.url, folder)));
  expect(applied.flat().sort()).toEqual(['0001_a.sql', '0002_b.sql', '0003_c.sql']);
  expect(await query('select x from a order by x')).toEqual([{ x: 1 }, { x: 2 }]);
});

test('a file that fails leaves nothing of itself and names its line', async () => {
  await files({
    '0001_a.sql': 'create table a (x int)',
    '0002_b.sql': 'create table b (x int);\n\nselect nothing',
  });
  await expect(migrate(database.url, folder)).rejects.toThrow(
    'Migration 0002_b.sql failed: column "nothing" does not exist (line 3)',
  );
  expect(await query('select name from schema_migrations')).toEqual([{ name: '0001_a.sql' }]);
  expect(await query(`select to_regclass('b') as b`)).toEqual([{ b: null }]);
  await files({ '0002_b.sql': 'create table b (x int)' });
  expect(await migrate(database.url, folder)).toEqual(['0002_b.sql']);
});

test('an applied file may not change', async () => {
  await files({ '0001_a.sql': 'create table a (x int)' });
  await migrate(database.url, folder);
  await files({ '0001_a.sql': 'create table a (x bigint)' });
  await expect(migrate(database.url, folder)).rejects.toThrow(
    '0001_a.sql has been changed since it was applied',
  );
});

test('a file may not be slipped in before an applied one', async () => {
  await files({ '0002_b.sql': 'select 1' });
  await migrate(database.url, folder);
  await files({ '0001_a.sql': 'select 1' });
  await expect(migrate(database.url, folder)).rejects.toThrow(
    '0001_a.sql is new, but 0002_b.sql is applied already',
  );
});

test('names are NNNN_name.sql and numbers are used once', async () => {
  await files({ '0001_a.sql': '', '0001_b.sql': '' });
  await expect(migrate(database.url, folder)).rejects.toThrow('Two migrations have the number 0001.');
  await rm(join(folder, '0001_b.sql'));
  await files({ 'fix.sql': '' });
  await expect(migrate(database.url, folder)).rejects.toThrow('fix.sql is not named NNNN_name.sql');
});

test('an older node may start on a newer database', async () => {
  await files({ '0001_a.sql': 'select 1', '0002_b.sql': 'select 1' });
  await migrate(database.url, folder);
  await rm(join(folder, '0002_b.sql'));
  expect(await migrate(database.url, folder)).toEqual([]);
});

test('a database of files that no longer exist is refused before anything is applied', async () => {
  await files({ '0001_a.sql': 'select 1', '0002_b.sql': 'select 1', '0003_c.sql': 'select 1' });
  await migrate(database.url, folder);
  for (const name of ['0001_a.sql', '0002_b.sql', '0003_c.sql']) await rm(join(folder, name));
  await files({ '0001_all.sql': 'create table everything (x int)', '0002_more.sql': 'select 1' });
  await expect(migrate(database.url, folder)).rejects.toThrow(
    'The database has the migration 0001_a.sql, which no longer exists: it was made by an older development version. ' +
      'Start with an empty database: remove the data folder (./data), or name another database by DATABASE_URL.',
  );
  expect(await query(`select to_regclass('everything') as made`)).toEqual([{ made: null }]);
});
