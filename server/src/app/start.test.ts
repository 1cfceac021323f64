import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatTime } from '@sangam/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DatabaseClock, HOUR, MINUTE } from '../platform/clock.ts';
import type { Config, NodeRole } from '../platform/config.ts';
import { openDatabase, sql } from '../platform/db/database.ts';
import { createLog } from '../platform/log.ts';
import { codeAt } from '../access/google-code.ts';
import { type Node, startNode } from './start.ts';
import { configOf } from '../testing/config.ts';
import { type TestDatabase, createEmptyDatabase } from '../testing/database.ts';

let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await createEmptyDatabase();
  folder = await mkdtemp(join(tmpdir(), 'sangam-start-'));
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

const fail = (error: unknown) => {
  throw error;
};

function start(
  role: NodeRole,
  on: TestDatabase = database,
  onLost: (error: unknown) => void = fail,
): Promise<Node> {
  const config: Config = {
    ...configOf(on.applicationUrl),
    consoleOrigin: undefined,
    trustedProxies: [],
    dataDir: folder,
    databaseOwnerUrl: on.url,
    role,
    masterKey: Buffer.alloc(32, 7),
    auditSigningKey: Buffer.alloc(32, 8),
    allowPrivateCallbacks: false,
  };
  return startNode(config, createLog('warn'), onLost);
}

async function run(script: string, args: string[], env: Record<string, string>) {
  const file = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, [file, ...args], { env: { ...process.env, ...env } });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, out, err };
}

test('two nodes start at once on an empty database, answer, and release everything at the stop', async () => {
  const [one, two, worker] = await Promise.all([start('all'), start('api'), start('worker')]);
  expect(worker.url).toBeUndefined();
  expect(one.url).not.toBe(two.url);
  for (const { url } of [one, two]) {
    const response = await fetch(`${url}/healthz`);
    expect(await response.json()).toEqual({ status: 'ok' });
  }
  const db = openDatabase(database.url);
  const slots = () => db.query<{ slot: number }>(sql`select slot from node_slots order by slot`);
  expect(await slots()).toEqual([{ slot: 0 }, { slot: 1 }, { slot: 2 }]);
  await Promise.all([one.stop(), two.stop(), worker.stop()]);
  expect(await slots()).toEqual([]);
  await expect(fetch(`${one.url}/healthz`)).rejects.toThrow('fetch failed');
  await db.close();
});

test('a node whose ids run ahead of its clock ends', async () => {
  const lost: unknown[] = [];
  const node = await start('api', database, (error) => lost.push(error));
  const { ids } = node.platform;
  const clock = node.platform.clock as DatabaseClock;
  const compareTo = (aheadMs: number) => {
    const passed = performance.now();
    clock.compare(Date.now() + aheadMs, passed, passed);
  };
  compareTo(20 * MINUTE);
  ids.next();
  compareTo(0);
  expect(() => ids.next()).toThrow('s ahead of its clock: the node ends');
  expect(lost).toHaveLength(1);
  await node.stop();
});

test('a node of another kind does not start on a database that was marked', async () => {
  const first = await start('api');
  const { config } = first.platform;
  await first.stop();
  const other = { ...config, isProduction: !config.isProduction };
  const begin = startNode(other, createLog('silent'), () => undefined);
  await expect(begin).rejects.toThrow(/This database is one of .* but this node is one of/);
  const again = await start('api');
  await again.stop();
});

test('a start that fails half way closes what it had opened', async () => {
  const node = await start('all');
  const taken = Number(new URL(node.url!).port);
  const config: Config = { ...node.platform.config, port: taken };
  await expect(startNode(config, createLog('silent'), () => undefined)).rejects.toThrow('EADDRINUSE');
  expect(await node.platform.db.query(sql`select slot from node_slots`)).toHaveLength(1);
  await node.stop();
});

test('an environment that cannot be used is one sentence and exit code 2', async () => {
  const { code, out, err } = await run('./main.ts', [], { PORT: 'eighty', DATA_DIR: folder });
  expect([code, out]).toEqual([2, '']);
  expect(err).toMatch(/^PORT is "eighty" but must be [^\n]+\.\n$/);
});

test('npm run code prints the code of a demo user, and refuses without a demo', async () => {
  const env = { DATA_DIR: folder };
  const without = await run('./code.ts', ['admin'], env);
  expect([without.code, without.out]).toEqual([1, '']);
  expect(without.err).toContain('demo.json does not exist');

  const googleSecret = 'GJIT7JEBGQDMUWGUUU2UANNAMB7JABOV';
  await writeFile(join(folder, 'demo.json'), JSON.stringify({ users: [{ account: 'admin', googleSecret }] }));
  const before = codeAt(googleSecret, new Date());
  const shown = await run('./code.ts', ['admin'], env);
  const after = codeAt(googleSecret, new Date());
  expect(shown.code).toBe(0);
  expect([before, after]).toContain(shown.out.slice(0, 6));
  expect((await run('./code.ts', ['nobody'], env)).err).toContain('one of admin');
});

test('npm run first-admin creates one of the first two superAdmins, on an empty database', async () => {
  const own = await createEmptyDatabase();
  const env = {
    DATA_DIR: folder,
    DATABASE_URL: own.applicationUrl,
    DATABASE_OWNER_URL: own.url,
    MASTER_KEY: '07'.repeat(32),
  };
  const made = await run('./first-admin.ts', ['boss'], env);
  expect([made.code, made.err]).toEqual([0, '']);
  expect(made.out).toMatch(/^boss, superAdmin\.[^\n]*\n {2}\/setPasswords#[\w-]{43}\n/);
  await own.drop();
}, 60_000);

test('npm run restored makes a restored database safe, and not beside running nodes', async () => {
  const own = await createEmptyDatabase();
  const env = {
    DATA_DIR: folder,
    DATABASE_URL: own.applicationUrl,
    DATABASE_OWNER_URL: own.url,
    MASTER_KEY: '07'.repeat(32),
    NODE_ENV: 'test',
  };
  const to = formatTime(new Date(Date.now() - HOUR));
  const node = await start('api', own);
  const beside = await run('./restored.ts', ['--to', to], env);
  expect([beside.code, beside.err]).toEqual([
    1,
    expect.stringContaining('Other nodes work on this database'),
  ]);
  await node.stop();
  const alone = await run('./restored.ts', ['--to', to], env);
  expect([alone.code, alone.err, alone.out]).toEqual([
    0,
    '',
    expect.stringContaining('enableService is off'),
  ]);
  await own.drop();
}, 120_000);
