import { connect } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createDatabaseClock, SECOND } from '../platform/clock.ts';
import { openDatabase, sql } from '../platform/db/database.ts';
import { claimNodeSlot } from '../platform/db/node-slot.ts';
import { createLog } from '../platform/log.ts';
import { claimCallbacks } from '../callbacks/store.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { configOf } from '../testing/config.ts';
import { type SilentProxy, startSilentProxy } from '../testing/silent-proxy.ts';
import { startNode } from './start.ts';

let database: TestDatabase;
let folder: string;
let proxy: SilentProxy;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'sangam-outage-'));
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  proxy = await startSilentProxy(database.url);
});
afterEach(() => proxy.close());

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const fail = (error: unknown) => {
  throw error;
};

function start(databaseUrl: string, log = createLog('silent')) {
  const config = { ...configOf(databaseUrl), dataDir: folder, masterKey: Buffer.alloc(32, 7) };
  return startNode(config, log, fail);
}

test('a vanished database is logged once, health answers, the other node works on, and the node stops', async () => {
  const lines: { level: number; msg: string }[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[0]) });
  const [one, two] = await Promise.all([start(proxy.url, log), start(database.url)]);
  expect(await (await fetch(`${one.url}/healthz`)).json()).toEqual({ status: 'ok' });
  proxy.swallows = true;
  for (let n = 0; n < 2; n += 1) {
    expect((await fetch(`${one.url}/healthz`)).status).toBe(503);
  }
  expect((await fetch(`${two.url}/healthz`)).status).toBe(200);
  await expect
    .poll(() => lines.filter(({ msg }) => msg.startsWith('the database does not answer')).length, {
      timeout: 12 * SECOND,
    })
    .toBe(1);
  await one.stop();
  await two.stop();
}, 60_000);

test('a node ends before its lease does, also while its renewal hangs', async () => {
  const lost: number[] = [];
  const claimedAt = performance.now();
  const slot = await claimNodeSlot(proxy.url, {
    takesCalls: true,
    clock: createDatabaseClock(),
    log: createLog('silent'),
    onLost: () => lost.push(performance.now() - claimedAt),
    endAfter: 4 * SECOND,
  });
  await wait(3.5 * SECOND);
  proxy.swallows = true;
  await expect.poll(() => lost.length, { timeout: 6 * SECOND }).toBe(1);
  // The slot was renewed at 3 s. The renewal at 6 s is still unanswered.
  expect(lost[0]).toBeGreaterThan(6.5 * SECOND);
  const direct = openDatabase(database.url);
  const [row] = await direct.query<{ left: number }>(sql`
    select extract(epoch from leased_until - now())::float8 as left from node_slots where slot = ${slot.slot}`);
  expect(row!.left).toBeGreaterThan(0);
  await direct.close();
  await slot.release().catch(() => undefined);
}, 30_000);

test('renewals of the slot do not wait for busy connections', async () => {
  const direct = openDatabase(database.url);
  const node = await start(database.url);
  const busy = Array.from({ length: 8 }, () => node.platform.db.query(sql`select pg_sleep(6)`));
  const leases = () =>
    direct.query<{ until: Date }>(
      sql`select leased_until as until from node_slots order by leased_until desc`,
    );
  const [before] = await leases();
  await wait(4 * SECOND);
  const [after] = await leases();
  expect(after!.until.getTime() - before!.until.getTime()).toBeGreaterThan(2 * SECOND);
  await Promise.all(busy);
  await node.stop();
  await direct.close();
}, 30_000);

test('a node lost inside a transaction loses its locks; its own callers get an answer', async () => {
  const limits = { connect: SECOND, silence: 5 * SECOND, idleInTransaction: 3 * SECOND };
  const lost = openDatabase(proxy.url, { limits });
  const other = openDatabase(database.url);
  await other.query(sql`create table rows_of_one (n int)`);
  await other.query(sql`insert into rows_of_one values (1)`);
  const hung = lost.tx(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(7426004)`);
    await tx.query(sql`update rows_of_one set n = 2`);
    proxy.swallows = true;
    return tx.query(sql`select n from rows_of_one`);
  });
  const failed = expect(hung).rejects.toThrow('did not answer in time');
  await wait(200);
  const clock = createDatabaseClock();
  const node = { db: other, clock, ids: { next: () => 1n } };
  expect(await claimCallbacks(node, { total: 1, perMerchant: 1, leaseMs: 1 })).toEqual([]);
  // Whoever claims does not wait for the lock: the lost node still has it.
  expect(
    await other.query(sql`select granted from pg_locks where locktype = 'advisory' and objid = 7426004`),
  ).toEqual([{ granted: true }]);
  await other.query(sql`update rows_of_one set n = 3`);
  await failed;
  await expect(lost.query(sql`select 1`)).rejects.toThrow('timeout');
  await Promise.all([lost.close(), other.close()]);
}, 30_000);

test('every connection has its limits', async () => {
  const node = await start(database.url);
  for (const from of [node.platform.db, node.platform.db.calls]) {
    const rows = await from.query<{ name: string; setting: string }>(sql`
      select name, setting from pg_settings where name in ('statement_timeout', 'lock_timeout',
        'idle_in_transaction_session_timeout', 'tcp_user_timeout', 'tcp_keepalives_idle') order by name`);
    expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
      idle_in_transaction_session_timeout: '20000',
      lock_timeout: '10000',
      statement_timeout: '30000',
      tcp_keepalives_idle: '10',
      tcp_user_timeout: '20000',
    });
  }
  await node.stop();
});

test('a missing body and an endless statement do not delay the stop, and the slot is released', async () => {
  const own = await createEmptyDatabase();
  const node = await start(own.url);
  const { port } = new URL(node.url!);
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(
    'POST /v1.0/api/login HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{',
  );
  const asleep = node.platform.db.query(sql`select pg_sleep(60)`).catch((error: unknown) => error);
  await wait(200);
  await node.stop();
  // The stop has ended the statement: it did not wait for the statement's own limit.
  expect(String(await asleep)).toMatch(/^(?!.*statement timeout).*Error/);
  const after = openDatabase(own.url);
  expect(await after.query(sql`select slot from node_slots`)).toEqual([]);
  await after.close();
  socket.destroy();
  await own.drop();
}, 60_000);
