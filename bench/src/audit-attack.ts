import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sealBlock } from '@sangam/server/audit/seal.ts';
import { CHECK_PAUSE, checkSealed, checkState } from '@sangam/server/audit/turn.ts';
import { SECOND } from '@sangam/server/platform/clock.ts';
import { type Sql, sql } from '@sangam/server/platform/db/database.ts';
import { startEmbedded } from '@sangam/server/platform/db/embedded.ts';
import { migrate } from '@sangam/server/platform/db/migrate.ts';
import { makePartitions } from '@sangam/server/platform/db/partitions.ts';
import { benchPlatform } from './rig.ts';

/*
 * How soon the check names what somebody with every right did to the middle of a long sealed history: edits, a deletion, an insertion, a row
 * moved to another transaction. The check looks in the rhythm of a node. Each must be named within 60 s, but for the last, which hides from
 * PostgreSQL's own counts: only the turn through all blocks finds it.
 *
 *   npm run bench -- audit-attack [--rows 300000]
 */
const { values } = parseArgs({ options: { rows: { type: 'string', default: '300000' } } });
const rows = Number(values.rows);
const MOST = 60 * SECOND;
const ROWS_OF_TRANSACTION = 20;
const TRANSACTIONS_OF_BLOCK = 25;

const dataDir = await mkdtemp(join(tmpdir(), 'sangam-audit-attack-'));
const embedded = await startEmbedded({ dataDir, log: () => undefined });
const platform = benchPlatform({ databaseUrl: embedded.url, dataDir, port: 0 });
const { db } = platform;
platform.log.level = 'fatal';

/** Four kinds of rows in each transaction, as orders write them. */
async function writeHistory(): Promise<void> {
  const each = ROWS_OF_TRANSACTION / 4;
  for (let written = 0, n = 0; written < rows; written += ROWS_OF_TRANSACTION, n += 1) {
    const ids = Array.from({ length: ROWS_OF_TRANSACTION }, () => platform.ids.next());
    const some = (at: number) => ids.slice(at * each, (at + 1) * each);
    await db.tx(async (tx) => {
      await tx.query(sql`
        insert into audit_log (id, action, subject, created_at)
        select id, 'probe.write', 'probe:' || id, now() from unnest(${some(0)}::bigint[]) id`);
      await tx.query(sql`
        insert into order_events (id, order_id, kind, to_status, actor_kind, reason, data, created_at)
        select id, id, 'created', 0, 'system', 'a reason of usual length', '{"n": 1}', now() from unnest(${[...some(1), ...some(2), ...some(3)]}::bigint[]) id`);
    });
    if (n % TRANSACTIONS_OF_BLOCK === 0) while (await sealBlock(platform));
  }
  while (await sealBlock(platform));
  await db.query(sql`vacuum analyze`);
}

const seconds = (ms: number) => `${(ms / SECOND).toFixed(1)} s`;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Looks as a node does until `isDone`, and answers how long that took and how much of it the looks worked. */
async function look(isDone: () => Promise<boolean>): Promise<{ tookMs: number; workedMs: number }> {
  const began = performance.now();
  let workedMs = 0;
  for (;;) {
    const at = performance.now();
    await checkSealed(platform);
    workedMs += performance.now() - at;
    if (await isDone()) return { tookMs: performance.now() - began, workedMs };
    await pause(CHECK_PAUSE);
  }
}

const turnEnds = async (): Promise<() => Promise<boolean>> => {
  const before = (await checkState(platform))?.turnEndedAt?.getTime();
  return async () => {
    const after = await checkState(platform);
    return !after?.inHurry && after?.nextBlock === 1n && after.turnEndedAt?.getTime() !== before;
  };
};
const isFaultOpen = async () =>
  (await db.query(sql`select from audit_faults where gone_at is null limit 1`)).length > 0;

try {
  await migrate(embedded.url);
  await makePartitions(platform);
  const began = performance.now();
  await writeHistory();
  const [{ count }] = (await db.query<{ count: bigint }>(
    sql`select count(*) as count from audit_blocks`,
  )) as [{ count: bigint }];
  console.log(`${rows} rows in ${count} blocks, written in ${seconds(performance.now() - began)}`);
  const turn = await look(await turnEnds());
  console.log(`the first turn took ${seconds(turn.tookMs)}, of these ${seconds(turn.workedMs)} work`);

  const [middle] = await db.query<{ id: bigint }>(
    sql`select id from order_events order by id offset (select count(*) / 2 from order_events) limit 1`,
  );
  const { id } = middle!;
  const [entry] = await db.query<{ id: bigint }>(
    sql`select id from audit_log order by id offset (select count(*) / 2 from audit_log) limit 1`,
  );
  await db.query(sql`create table kept as select * from order_events where id = ${id}`);
  await db.query(sql`create table copied as select * from kept`);
  await db.query(sql`update copied set id = ${platform.ids.next()}`);
  const attacks: readonly (readonly [name: string, attack: readonly Sql[], undo: Sql])[] = [
    [
      'an event edited',
      [sql`update order_events set reason = 'other' where id = ${id}`],
      sql`update order_events e set reason = k.reason from kept k where e.id = k.id`,
    ],
    [
      'an audit entry edited',
      [sql`update audit_log set action = 'other' where id = ${entry!.id}`],
      sql`update audit_log set action = 'probe.write' where id = ${entry!.id}`,
    ],
    [
      'an event deleted',
      [sql`delete from order_events where id = ${id}`],
      sql`insert into order_events select * from kept`,
    ],
    [
      'an event put in',
      [sql`insert into order_events select * from copied`],
      sql`delete from order_events where id = (select id from copied)`,
    ],
    [
      'an event moved',
      [sql`update order_events set tx_id = (select max(tx_id) / 3 from audit_log) where id = ${id}`],
      sql`update order_events e set tx_id = k.tx_id from kept k where e.id = k.id`,
    ],
    [
      'an event edited, not counted by PostgreSQL',
      [sql`set local track_counts = off`, sql`update order_events set reason = 'other' where id = ${id}`],
      sql`update order_events e set reason = k.reason from kept k where e.id = k.id`,
    ],
  ];
  for (const [name, attack, undo] of attacks) {
    await db.tx(async (tx) => {
      for (const statement of attack) await tx.query(statement);
    });
    const { tookMs, workedMs } = await look(isFaultOpen);
    const named = await db.query<{ fault: string }>(sql`
      select kind || ' ' || row_id || ' ' || fault as fault from audit_faults where gone_at is null`);
    console.log(
      `${name}: named after ${seconds(tookMs)}, ${seconds(workedMs)} work (${named.map(({ fault }) => fault).join(', ')})`,
    );
    if (tookMs > MOST && !name.includes('not counted')) process.exitCode = 1;
    await db.query(undo);
    await look(async () => !(await isFaultOpen()) && (await checkState(platform))?.inHurry === false);
  }
} finally {
  await db.close();
  await embedded.stop();
  await rm(dataDir, { recursive: true, force: true });
}
