import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SignType } from '@sangam/contract/signature.ts';
import { createAuditSeal } from '@sangam/server/platform/audit/signing-key.ts';
import type { Config } from '@sangam/server/platform/config.ts';
import { type Database, openDatabase, sql } from '@sangam/server/platform/db/database.ts';
import { startEmbedded } from '@sangam/server/platform/db/embedded.ts';
import { createIdMaker } from '@sangam/server/platform/db/ids.ts';
import { migrate } from '@sangam/server/platform/db/migrate.ts';
import { createLog } from '@sangam/server/platform/log.ts';
import { makePartitions } from '@sangam/server/platform/db/partitions.ts';
import { createNodeState } from '@sangam/server/platform/node-state.ts';
import type { Platform } from '@sangam/server/platform/platform.ts';
import { createSettings } from '@sangam/server/platform/settings/settings.ts';
import { systemClock } from '@sangam/server/platform/clock.ts';
import { configOf } from '@sangam/server/testing/config.ts';
import { makeAccount, makeMerchant, makeMonitor, makeSupplier } from '@sangam/server/testing/world.ts';
import { createVault } from '@sangam/server/platform/vault.ts';
import { cpuMsOf } from './cpu.ts';
import type { LoadOrder } from './load/load.ts';

export interface Shape {
  readonly merchants: number;
  readonly accounts: number;
  readonly signType?: SignType;
}

export interface Rig {
  readonly platform: Platform;
  readonly databaseUrl: string;
  readonly url: string;
  readonly merchants: LoadOrder['merchants'];
  readonly accountIds: readonly bigint[];
  /** CPU milliseconds used so far, by the server and by PostgreSQL with all its backends. */
  cpuMs(): { readonly server: number; readonly postgres: number };
  /** Resident memory of the server's process, in MB. */
  rssMb(): number;
  /** Stops the server's process at a moment when it has no transaction open, and lets it continue. */
  pause(): Promise<void>;
  resume(): void;
  stop(): Promise<void>;
}

const MAIN = fileURLToPath(new URL('../../server/src/app/main.ts', import.meta.url));
/** The flags that `npm start` uses. */
const FLAGS = JSON.parse(
  readFileSync(new URL('../../server/node-flags.json', import.meta.url), 'utf8'),
) as string[];
const ENV = JSON.parse(
  readFileSync(new URL('../../server/node-env.json', import.meta.url), 'utf8'),
) as Record<string, string>;
/** A node slot that no server of the rig takes, so that ids made while building the world never equal the server's. */
const BUILDER_SLOT = 1023;
/** So high that no create is refused during a bench. */
const MAX_WAITING = 1_000_000;

/** A fresh PostgreSQL with fsync on, a world of the given shape, and the real server in its own process. */
export async function startRig(shape: Shape, port: number): Promise<Rig> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sangam-bench-'));
  const embedded = await startEmbedded({ dataDir, log: () => undefined });
  await migrate(embedded.url);
  const platform = benchPlatform({ databaseUrl: embedded.url, dataDir, port });
  const { db } = platform;
  await makePartitions(platform);
  const { merchants, accountIds } = await buildWorld(platform, shape);
  const postmaster = Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10);
  const server = await startServer(platform, 'all');
  return {
    platform,
    databaseUrl: embedded.url,
    url: `http://127.0.0.1:${port}`,
    merchants,
    accountIds,
    cpuMs: () => ({ server: cpuMsOf(server.pid!), postgres: cpuMsOf(postmaster) }),
    rssMb: () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid!}/status`, 'utf8'))![1]) / 1024,
    pause: () => pauseOutside(server, db),
    resume: () => void server.kill('SIGCONT'),
    async stop() {
      await stopProcess(server);
      await db.close();
      await embedded.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The platform in this process, with the same configuration as the server. */
export function benchPlatform(of: {
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly port: number;
}): Platform {
  const db = openDatabase(of.databaseUrl);
  // Always the same key, so that a seeded world can be opened again.
  const masterKey = Buffer.alloc(32, 'bench');
  const state = createNodeState();
  const config: Config = {
    ...configOf(of.databaseUrl),
    ...of,
    trustedProxies: [],
    consoleOrigin: undefined,
    archiveDir: join(of.dataDir, 'archive'),
    backupStamp: undefined,
    masterKey,
  };
  return {
    db,
    owner: db,
    clock: systemClock,
    ids: createIdMaker(systemClock, BUILDER_SLOT),
    vault: createVault(masterKey),
    auditSeal: createAuditSeal(randomBytes(32)),
    settings: createSettings(db, systemClock, state),
    state,
    config,
    log: createLog('warn'),
  };
}

async function buildWorld(platform: Platform, shape: Shape) {
  const { supplierId } = await makeSupplier(platform, { deposit: 10n ** 17n });
  const { monitorId } = await makeMonitor(platform, { supplierId });
  const accountIds: bigint[] = [];
  for (let n = 0; n < shape.accounts; n += 1) {
    const { accountId } = await makeAccount(platform, { supplierId, monitorId, maxWaiting: MAX_WAITING });
    accountIds.push(accountId);
  }
  const merchants = [];
  const { signType = 'md5' } = shape;
  for (let n = 0; n < shape.merchants; n += 1) {
    const { merchantId, secret } = await makeMerchant(platform, { signType });
    merchants.push({ mchId: String(merchantId), secret, signType });
  }
  // Monitors stay online for the length of any bench.
  await platform.db.query(sql`update monitors set last_seen_at = now() + interval '1 day'`);
  await platform.db.query(sql`analyze`);
  return { merchants, accountIds };
}

/** Starts the real server on the platform's database. With role `api` it answers calls and runs no background jobs. */
export async function startServer({ config }: Platform, role: Config['role']): Promise<ChildProcess> {
  const env = {
    PATH: process.env['PATH'],
    ...ENV,
    DATABASE_URL: config.databaseUrl,
    MASTER_KEY: config.masterKey!.toString('hex'),
    PORT: String(config.port),
    ROLE: role,
    DEMO: '0',
    ALLOW_PRIVATE_CALLBACKS: '1',
  };
  // NODE_FLAGS: --cpu-prof and the like, for the server only.
  const flags = (process.env['NODE_FLAGS'] ?? '').split(' ').filter((flag) => flag !== '');
  const server = spawn(process.execPath, [...FLAGS, ...flags, MAIN], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (let tries = 0; tries < 900; tries += 1) {
    const answer = await fetch(`http://127.0.0.1:${config.port}/healthz`).catch(() => undefined);
    if (answer?.ok) return server;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the server did not start');
}

/**
 * A stopped process keeps the locks of its transactions, and a TRUNCATE would wait for ever. Transactions of more than a second
 * (the verify job's) are cancelled; their loop tries again.
 */
async function pauseOutside(server: ChildProcess, db: Database): Promise<void> {
  for (;;) {
    server.kill('SIGSTOP');
    // Other statements end by themselves.
    await new Promise((resolve) => setTimeout(resolve, 20));
    const open = await db.query<{ pid: number }>(sql`
      select pid, case when xact_start < now() - interval '1 second' then pg_cancel_backend(pid) end from pg_stat_activity
      where backend_type = 'client backend' and pid <> pg_backend_pid() and xact_start is not null`);
    if (open.length === 0) return;
    server.kill('SIGCONT');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export function stopProcess(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}
