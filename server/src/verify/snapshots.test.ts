import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { sql } from '../platform/db/database.ts';
import { makeShop } from '../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { snapshotsOf, verify } from './verify.ts';

/** A run reads in short snapshots, within its time, and never with a plan that knows nothing of the tables. */

let world: TestPlatform;
beforeAll(async () => {
  world = await createTestPlatform();
});
afterAll(() => world.close());

test('a check that runs out of time is reported as unfinished, and the next one still runs', async () => {
  const endless = { name: 'endless', statement: sql`select pg_sleep(60)::text as detail` };
  const sound = { name: 'sound', statement: sql`select 'none' as detail where false` };
  const results = await Array.fromAsync(
    verify(await snapshotsOf(world.platform.db), [endless, sound], { snapshotLimit: 50 }),
  );
  expect(results[0]).toEqual({
    name: 'endless',
    ok: false,
    detail: 'not finished within 0.05 s',
    unfinished: true,
  });
  expect(results[1]).toMatchObject({ name: 'sound', ok: true });
});

test('each range is a snapshot of its own', async () => {
  await makeShop(world.platform);
  await makeShop(world.platform);
  const snapshots = await snapshotsOf(world.platform.db);
  const levels: string[] = [];
  const walk = {
    name: 'walk',
    walks: 'ledger_entries',
    statement: () => sql`select 'none' as detail where false`,
  } as const;
  const counted: typeof snapshots = (read) =>
    snapshots(async (tx) => {
      const [row] = await tx.query<{ level: string }>(
        sql`select current_setting('transaction_isolation') as level`,
      );
      levels.push(row!.level);
      return read(tx);
    });
  await Array.fromAsync(verify(counted, [walk], { rangeRows: 1 }));
  expect(levels.length).toBeGreaterThan(4);
  expect(new Set(levels)).toEqual(new Set(['repeatable read']));
});

test('a run that has lasted its time ends: checks that did not run are unfinished', async () => {
  const sound = { name: 'sound', statement: sql`select pg_sleep(0.05)::text as detail where false` };
  const results = await Array.fromAsync(
    verify(await snapshotsOf(world.platform.db), [sound, sound], { runLimit: 0 }),
  );
  expect(results.map(({ ok, unfinished }) => [ok, unfinished])).toEqual([
    [false, true],
    [false, true],
  ]);
});

test('tables that were just filled are analyzed before the checks', async () => {
  const db = world.owner;
  await db.query(sql`create table filled_at_once as select generate_series(1, 20000) as id`);
  await db.query(sql`select pg_stat_force_next_flush()`);
  const analyzed = async () =>
    (
      await db.query<{ at: Date | null }>(sql`
        select coalesce(last_analyze, last_autoanalyze) as at from pg_stat_user_tables where relname = 'filled_at_once'`)
    )[0]?.at;
  await vi.waitFor(
    async () => {
      await snapshotsOf(db);
      expect(await analyzed()).toBeInstanceOf(Date);
    },
    { timeout: 20_000 },
  );
  await db.query(sql`drop table filled_at_once`);
});
