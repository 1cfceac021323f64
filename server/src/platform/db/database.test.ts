import { afterAll, beforeAll, expect, test } from 'vitest';
import { refuse } from '../refusal.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { type Database, hot, openDatabase, sql } from './database.ts';

let server: TestDatabase;
let db: Database;
beforeAll(async () => {
  server = await createTestDatabase();
  db = openDatabase(server.url, { maxConnections: 1 });
  await db.query(sql`create table kept (n int primary key)`);
});
afterAll(async () => {
  await db.close();
  await server.drop();
});

const kept = async () =>
  (await db.query<{ n: number }>(sql`select n from kept order by n`)).map(({ n }) => n);

test('what is sent runs in its turn and commits with the rest', async () => {
  const seen = await db.tx(async (tx) => {
    tx.send(sql`insert into kept values (1)`);
    return tx.query(sql`select n from kept`);
  });
  expect(seen).toEqual([{ n: 1 }]);
  expect(await kept()).toEqual([1]);
});

test('a sent statement that fails fails the transaction, which leaves nothing', async () => {
  await expect(
    db.tx((tx) => {
      tx.send(sql`insert into kept values (2)`);
      tx.send(sql`insert into kept values (1)`);
      return Promise.resolve();
    }),
  ).rejects.toMatchObject({ constraint: 'kept_pkey' });
  expect(await kept()).toEqual([1]);
});

test('the error thrown is that of the failed statement, not of the statements after it', async () => {
  await expect(
    db.tx(async (tx) => {
      tx.send(sql`insert into kept values (1)`);
      await tx.query(sql`select 1`);
    }),
  ).rejects.toMatchObject({ constraint: 'kept_pkey' });
});

test('statements asked for at once are answered each with its own rows, named ones too, and not once one has failed', async () => {
  const n = (value: number) => hot('at once', sql`select ${value}::int as n`);
  for (let round = 0; round < 2; round += 1) {
    const answers = await db.tx((tx) =>
      Promise.all([
        tx.query(n(1)),
        tx.query(sql`select n from kept where n < 0`),
        tx.query(sql`update kept set n = n where n < 0`),
        tx.query(n(2)),
        tx.query(sql`select 3 as n union select 4 order by n`),
      ]),
    );
    expect(answers).toEqual([[{ n: 1 }], [], [], [{ n: 2 }], [{ n: 3 }, { n: 4 }]]);
    // A statement name first used behind a failed statement must not count as prepared.
    const late = hot(`late ${round}`, sql`select ${5}::int as n`);
    const failed = db.tx((tx) => Promise.allSettled([tx.query(sql`select 1 / 0`), tx.query(late)]));
    await expect(failed).rejects.toThrow('nothing was committed');
    expect(await db.tx((tx) => tx.query(late))).toEqual([{ n: 5 }]);
  }
});

test('a sent statement that meets a serialization failure retries the transaction whole', async () => {
  let tries = 0;
  await db.tx(async (tx) => {
    tries += 1;
    tx.send(sql`insert into kept values (3)`);
    if (tries === 1) tx.send(sql`do $$ begin raise sqlstate '40001'; end $$`);
    await tx.query(sql`select 1`);
  });
  expect(tries).toBe(2);
  expect(await kept()).toEqual([1, 3]);
});

test('a transaction whose failed statement was ignored does not count as committed', async () => {
  await expect(
    db.tx(async (tx) => {
      await tx.query(sql`insert into kept values (5)`);
      await tx.query(sql`insert into kept values (1)`).catch(() => undefined);
    }),
  ).rejects.toThrow('nothing was committed');
  expect(await kept()).not.toContain(5);
});

test('a refusal rolls back sent statements', async () => {
  await db.tx((tx) => {
    tx.send(sql`insert into kept values (4)`);
    return Promise.resolve(refuse('conflict'));
  });
  expect(await kept()).toEqual([1, 3]);
});

test.each([true, false])('hot statements answer the same, named or not (%s)', async (preparedStatements) => {
  const other = openDatabase(server.url, { maxConnections: 1, preparedStatements });
  const ask = (n: number) => other.query(hot('test', sql`select ${n}::int + 1 as n`));
  expect([await ask(1), await ask(2)]).toEqual([[{ n: 2 }], [{ n: 3 }]]);
  const names = await other.query(sql`select name from pg_prepared_statements where name = 'test'`);
  expect(names).toEqual(preparedStatements ? [{ name: 'test' }] : []);
  await other.close();
});

test('a statement has no name that PostgreSQL would cut', () => {
  expect(() => hot('n'.repeat(64), sql`select 1`)).toThrow('too long');
});

test('a hot statement of a transaction is planned once for any values, another one for its values', async () => {
  const other = openDatabase(server.url, { maxConnections: 1 });
  const plans = await other.tx(async (tx) => {
    const modes = [];
    for (let n = 0; n < 8; n += 1) {
      await tx.query(hot('kept number', sql`select n from kept where n = ${n}`));
      const how = () =>
        sql`select current_setting('plan_cache_mode') || ' ' || current_setting('enable_seqscan') as mode`;
      modes.push(
        ...(await tx.query<{ mode: string }>(hot('how', how()))),
        ...(await tx.query<{ mode: string }>(how())),
      );
    }
    const [kept] = await tx.query(
      sql`select generic_plans::int as generic, custom_plans::int as custom from pg_prepared_statements where name = 'kept number'`,
    );
    return { kept, modes: new Set(modes.map(({ mode }) => mode)) };
  });
  expect(plans).toEqual({
    kept: { generic: 8, custom: 0 },
    modes: new Set(['force_generic_plan off', 'auto on']),
  });
  // One alone is planned so too, and leaves nothing set.
  const alone = hot('alone', sql`select current_setting('plan_cache_mode') as mode`);
  expect(await other.query(alone)).toEqual([{ mode: 'force_generic_plan' }]);
  expect(await other.query(sql`select current_setting('plan_cache_mode') as mode`)).toEqual([
    { mode: 'auto' },
  ]);
  await other.close();
});

test('lists arrive as they were: quotes, words and gaps, large numbers, moments, bytes', async () => {
  const texts = [
    '',
    ' ',
    'NULL',
    null,
    'a"b',
    'c\\d\\"',
    '{e,f}',
    "g'h\n\t",
    'हिन्दी 漢字',
    '{"i": "\\"j\\""}',
  ];
  const numbers = [2n ** 63n - 1n, -(2n ** 63n), null, 0n];
  const moment = new Date('2026-11-22T14:03:59.123Z');
  const moments = [moment, moment, new Date(0), null, new Date('1969-12-31T23:59:59.999Z')];
  const bytes = [Buffer.from([0, 1, 254, 255]), null, Buffer.alloc(0)];
  const [row] = await db.query(sql`
    select ${texts}::text[] as texts, ${numbers}::bigint[]::text as numbers, ${moments}::timestamptz[] as moments, ${bytes}::bytea[] as bytes,
      ${[1.5, -2e-7, null]}::float8[] as floats, ${[true, false, null]}::boolean[] as booleans, ${[]}::int[] as none,
      ${[
        [1, 2],
        [3, 4],
      ]}::int[] as pairs, ${'["a"]'}::jsonb as json`);
  expect(row).toEqual({
    texts,
    numbers: `{${2n ** 63n - 1n},${-(2n ** 63n)},NULL,0}`,
    moments,
    bytes,
    floats: [1.5, -2e-7, null],
    booleans: [true, false, null],
    none: [],
    pairs: [
      [1, 2],
      [3, 4],
    ],
    json: ['a'],
  });
});

test('a connection that dies between two statements fails its transaction and nothing else', async () => {
  const other = openDatabase(server.url, { maxConnections: 1 });
  const died = db.tx(async (tx) => {
    const [me] = await tx.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    await other.query(sql`select pg_terminate_backend(${me!.pid})`);
    // Nobody waits for an answer while the connection breaks.
    await new Promise((resolve) => setTimeout(resolve, 200));
    return tx.query(sql`select 1`);
  });
  await expect(died).rejects.toThrow();
  expect(await db.query(sql`select 1 as one`)).toEqual([{ one: 1 }]);
  await other.close();
});

test('under SERIALIZABLE, with commits failing, a burst on one row from two nodes loses nothing', async () => {
  const lane = new URL(server.url);
  lane.searchParams.set('options', '-c default_transaction_isolation=serializable');
  const beforeCommit = () => {
    if (Math.random() < 0.05) throw Object.assign(new Error('planted'), { code: '40001' });
  };
  const nodes = [1, 2].map(() => openDatabase(lane.href, { beforeCommit }));
  await db.query(sql`create table counted (n int not null)`);
  await db.query(sql`insert into counted values (0)`);
  await Promise.all(
    Array.from({ length: 120 }, (_, index) =>
      nodes[index % 2]!.tx(async (tx) => {
        const [row] = await tx.query<{ n: number }>(sql`select n from counted`);
        await tx.query(sql`update counted set n = ${row!.n + 1}`);
      }),
    ),
  );
  expect(await db.query(sql`select n from counted`)).toEqual([{ n: 120 }]);
  for (const node of nodes) await node.close();
});
