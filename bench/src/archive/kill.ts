import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { restoreAll } from '@sangam/server/archive/restore.ts';
import { archiveOld } from '@sangam/server/archive/run.ts';
import { ARCHIVE_TABLES } from '@sangam/contract/archive.ts';
import { type Database, raw, sql } from '@sangam/server/platform/db/database.ts';
import { startEmbedded } from '@sangam/server/platform/db/embedded.ts';
import { migrate } from '@sangam/server/platform/db/migrate.ts';
import { ensurePartitions } from '@sangam/server/platform/db/partitions.ts';
import { fillMonth } from './fill-month.ts';
import { benchPlatform } from '../rig.ts';

/*
 * A process archives a month and restores it, over and over, and is killed with SIGKILL at random moments. After each kill, every
 * order must be in its table or in the archive, but not in both. Whenever all orders are back, each row must be as it was at first.
 *
 *   npm run soak:archive -- [--kills 200] [--orders 2000] [--seed N]
 */
const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    orders: { type: 'string', default: '2000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    worker: { type: 'string' },
    database: { type: 'string' },
  },
});

/** The process that is killed. It continues whatever is half done, and reports when it begins. */
async function work(dataDir: string, databaseUrl: string): Promise<void> {
  const platform = benchPlatform({ databaseUrl, dataDir, port: 0 });
  process.send!('begins');
  await restoreAll(platform, platform.db);
  const { failures } = await archiveOld(platform, platform.db);
  if (failures.length > 0) throw new Error(failures.join());
  await platform.db.close();
}

/** SHA-256 of all rows of all archived tables. */
async function fingerprint(db: Database): Promise<string> {
  const parts: string[] = [];
  for (const table of ARCHIVE_TABLES) {
    const [row] = await db.query<{ hash: string | null }>(sql`
      select encode(sha256(convert_to(string_agg(row_to_json(t)::text, '' order by id), 'UTF8')), 'hex') as hash from ${raw(table)} t`);
    parts.push(row!.hash ?? 'empty');
  }
  return parts.join();
}

async function soak(): Promise<void> {
  const [kills, orders] = [Number(values.kills), Number(values.orders)];
  let state = Number(values.seed);
  const random = () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
  const dataDir = await mkdtemp(join(tmpdir(), 'sangam-archive-kill-'));
  const embedded = await startEmbedded({ dataDir, log: () => undefined });
  const platform = benchPlatform({ databaseUrl: embedded.url, dataDir, port: 0 });
  const { db } = platform;
  const now = new Date();
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 3, 1));
  try {
    await migrate(embedded.url);
    await ensurePartitions(db, month, now);
    await fillMonth(db, month, orders);
    await platform.settings.write('DataClearCycle', 40, null);
    const atFirst = await fingerprint(db);
    let [killed, whole, longest] = [0, 0, 500];
    while (killed < kills) {
      const worker = spawn(
        process.execPath,
        [fileURLToPath(import.meta.url), '--worker', dataDir, '--database', embedded.url],
        { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
      );
      await once(worker, 'message');
      const startedAt = performance.now();
      const timer = setTimeout(() => worker.kill('SIGKILL'), random() * longest * 1.2);
      const [code] = (await once(worker, 'exit')) as [number | null];
      clearTimeout(timer);
      if (code === null) killed += 1;
      else if (code !== 0) throw new Error(`the worker failed with ${code}`);
      else longest = Math.max(longest, performance.now() - startedAt);
      const [seen] = await db.query<{ live: number; away: number; twice: number }>(sql`
        select (select count(*)::int from collection_orders) as live, (select count(*)::int from archived_orders) as away,
          (select count(*)::int from collection_orders join archived_orders on order_id = id) as twice`);
      const { live, away, twice } = seen!;
      if (live + away !== orders || twice > 0)
        throw new Error(
          `after ${killed} kills (seed ${values.seed}): ${live} live, ${away} archived, ${twice} in both`,
        );
      if (away === 0 && live === orders && (await isSettled(db))) {
        if ((await fingerprint(db)) !== atFirst)
          throw new Error(`rows differ after ${killed} kills (seed ${values.seed})`);
        whole += 1;
        // The orders may be archived again at once.
        await db.query(sql`update archive_restores set asked_at = now() - interval '31 days'`);
      } else if (away === orders && code === 0)
        await db.query(sql`
          insert into archive_restores (id, archive_id, reason, asked_at)
          select ${platform.ids.next()}, archive_id, 'soak', now() from archived_orders group by archive_id`);
    }
    console.log(
      `seed ${values.seed}: killed ${killed} times, ${whole} times back whole and as at first; nothing lost, nothing twice`,
    );
  } finally {
    await db.close();
    await embedded.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function isSettled(db: Database): Promise<boolean> {
  const [row] = await db.query<{ settled: boolean }>(sql`
    select not exists (select from archive_restores where state = 'waiting') as settled`);
  return row!.settled;
}

await (values.worker === undefined ? soak() : work(values.worker, values.database!));
