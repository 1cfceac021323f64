import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { chown, mkdir, open, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { basename, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { SECOND } from '../clock.ts';
import { databaseAccount, findBinaries, spawnAs } from './embedded-binaries.ts';
import { claimDataFolder, isAlive, livingOwner } from './embedded-owner.ts';
import { APPLICATION_ROLE, ensureApplicationRole } from './rights.ts';

const ATTEMPTS = 20;
const LOG_KEPT_BYTES = 1_000_000;
const USER = 'sangam';
const DATABASE = 'sangam';

export interface EmbeddedOptions {
  dataDir: string;
  log: (line: string) => void;
  /** Overrides of the settings below; tests turn durability off. */
  settings?: Record<string, string>;
}

export interface EmbeddedDatabase {
  /** As the owner of the database. */
  url: string;
  /** As the application, which may not change what is sealed. */
  applicationUrl: string;
  stop(): Promise<void>;
}

/** Chosen for two cores and a few GB: short transactions, durable, one checkpoint every quarter of an hour. */
const SETTINGS: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '', // the path of a socket may be at most 107 characters, a data folder's may be longer
  max_connections: '200',
  shared_buffers: '256MB',
  work_mem: '8MB',
  maintenance_work_mem: '128MB',
  max_wal_size: '2GB',
  min_wal_size: '128MB',
  checkpoint_timeout: '15min',
  random_page_cost: '1.1',
  jit: 'off', // compiling costs more than our short queries take
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'warning',
  log_checkpoints: 'off',
};

/**
 * PostgreSQL 18 in `<dataDir>/postgres`, for this process alone. It ends with this process however that ends: `stop()`
 * stops it cleanly, and a small watcher does the same after kill -9. What outlives even that is stopped at the next start.
 */
export async function startEmbedded({ dataDir, log, settings }: EmbeddedOptions): Promise<EmbeddedDatabase> {
  // 0711: the account that PostgreSQL runs as under root must be able to walk through to its own folder.
  await mkdir(resolve(dataDir), { recursive: true, mode: 0o711 });
  const folder = await realpath(dataDir);
  const release = await claimDataFolder(folder);
  try {
    const cluster = join(folder, 'postgres');
    await stopLeftOver(cluster, log);
    const secret = await readSecret(folder, cluster);
    if (!existsSync(cluster)) await initialise(cluster, secret.password, log);
    const server = await startServer(folder, cluster, { ...SETTINGS, ...settings }, secret);
    await writeSecret(folder, { ...secret, port: server.port });

    let stopping: Promise<void> | undefined;
    server.child.once('exit', () => {
      if (!stopping)
        log(`PostgreSQL has stopped unexpectedly; the reason is in ${join(folder, 'postgres.log')}.`);
    });
    const stop = async (): Promise<void> => {
      await stopServer(server.child);
      server.watcher.kill('SIGKILL');
      await release();
    };
    return { ...urlsOf({ ...secret, port: server.port }), stop: () => (stopping ??= stop()) };
  } catch (error) {
    await release();
    throw error;
  }
}

/** For commands beside the server (`code`, `verify`): the running server's database, or a start of it for a moment. */
export async function joinEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const folder = resolve(options.dataDir);
  const owner = existsSync(folder) ? await livingOwner(await realpath(folder)) : undefined;
  if (owner === undefined) return startEmbedded(options);
  const secret = await readSecret(folder, join(folder, 'postgres'));
  return { ...urlsOf(secret), stop: () => Promise.resolve() };
}

interface Secret {
  password: string;
  applicationPassword: string;
  port: number;
}

const newPassword = () => randomBytes(24).toString('base64url');

async function readSecret(folder: string, cluster: string): Promise<Secret> {
  const file = join(folder, 'postgres.json');
  if (existsSync(file)) {
    const known = JSON.parse(await readFile(file, 'utf8')) as Omit<Secret, 'applicationPassword'>;
    // A data folder of an older version has no application's role yet.
    return { applicationPassword: newPassword(), ...known };
  }
  if (existsSync(cluster))
    throw new Error(`${file}, which holds the password of ${cluster}, is missing: restore it.`);
  const secret = { password: newPassword(), applicationPassword: newPassword(), port: 0 };
  await writeSecret(folder, secret);
  return secret;
}

async function writeSecret(folder: string, secret: Secret): Promise<void> {
  const file = join(folder, 'postgres.json');
  await writeFile(`${file}.new`, JSON.stringify(secret), { mode: 0o600 });
  await rename(`${file}.new`, file);
}

/** Made beside its place and moved there when whole, so that a start cut off in the middle leaves nothing half made. */
async function initialise(cluster: string, password: string, log: EmbeddedOptions['log']): Promise<void> {
  log('Creating the database (first start) ...');
  const { initdb } = await findBinaries();
  const account = await databaseAccount();
  const draft = `${cluster}.new`;
  const passwordFile = `${cluster}.password`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (account) for (const path of [draft, passwordFile]) await chown(path, account.uid, account.gid);

  const args = [
    '-D',
    draft,
    '--username',
    USER,
    '--pwfile',
    passwordFile,
    '--auth',
    'scram-sha-256',
    '--encoding',
    'UTF8',
  ];
  // The built-in provider sorts the same on every machine, whatever its libc or ICU; a cluster may be moved between them.
  const locale = [
    '--locale-provider',
    'builtin',
    '--builtin-locale',
    'C.UTF-8',
    '--locale',
    'C',
    '--no-instructions',
  ];
  const child = spawnAs(account, initdb, [...args, ...locale], draft, {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  await rm(passwordFile);
  if (code !== 0) throw new Error(`The database could not be created in ${draft}: ${errors.trim()}`);
  await rename(draft, cluster);
}

interface RunningServer {
  child: ChildProcess;
  watcher: ChildProcess;
  port: number;
}

async function startServer(
  folder: string,
  cluster: string,
  settings: Record<string, string>,
  secret: Secret,
): Promise<RunningServer> {
  const { postgres } = await findBinaries();
  const account = await databaseAccount();
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

  for (let attempt = 1; ; attempt++) {
    const port = await freePort(attempt === 1 ? secret.port : 0);
    const logFile = await openLog(join(folder, 'postgres.log'));
    const from = (await logFile.stat()).size;
    // Its own session: Ctrl-C in a terminal reaches every process of ours at once, and the database must be the last to go.
    const child = spawnAs(account, postgres, ['-D', cluster, '-p', String(port), ...flags], cluster, {
      detached: true,
      stdio: ['ignore', logFile.fd, logFile.fd],
    });
    const gone = once(child, 'exit').then(() => 'gone' as const);
    await logFile.close();
    const watcher = watch(child);
    child.unref();

    try {
      if (await isReady(secret, port, gone)) return { child, watcher, port };
    } catch (error) {
      await stopServer(child);
      throw error;
    }
    watcher.kill('SIGKILL');
    const said = readFileSync(join(folder, 'postgres.log')).subarray(from).toString().trim();
    // Backends of a killed postmaster take a moment to notice and go; a port found free may be taken before we use it.
    const passing = /still in use|Address already in use|could not create any TCP/.test(said);
    if (!passing || attempt === ATTEMPTS) throw new Error(`PostgreSQL did not start in ${cluster}: ${said}`);
    await sleep(SECOND / 4);
  }
}

async function openLog(path: string) {
  const file = await open(path, 'a', 0o600);
  if ((await file.stat()).size > LOG_KEPT_BYTES) await file.truncate(0);
  return file;
}

/** Waits as long as the server lives: recovery after a crash takes what it takes. False when it has ended instead. */
async function isReady(secret: Secret, port: number, gone: Promise<'gone'>): Promise<boolean> {
  for (;;) {
    const client = new pg.Client({ connectionString: urlOf(USER, secret.password, port, 'postgres') });
    client.on('error', () => undefined); // reported by connect or the query
    try {
      await client.connect();
      const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [DATABASE]);
      if (rowCount === 0) await client.query(`create database ${DATABASE}`);
      await ensureApplicationRole(client, secret.applicationPassword);
      await client.end();
      return true;
    } catch (error) {
      await client.end().catch(() => undefined);
      const code = (error as { code?: string }).code ?? '';
      // Refused until it listens, 57P03 while it starts, resets in between; anything else will not pass by waiting.
      if (!['ECONNREFUSED', 'ECONNRESET', '57P03', ''].includes(code)) throw error;
    }
    if ((await Promise.race([gone, sleep(20)])) === 'gone') return false;
  }
}

/** Its input closes when this process ends, by whatever means; then it asks the server for a fast shutdown. */
function watch(server: ChildProcess): ChildProcess {
  const script = 'while read -r _; do :; done; kill -INT "$1"';
  const watcher = spawn('/bin/sh', ['-c', script, 'sangam-database-watcher', String(server.pid)], {
    detached: true,
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watcher.unref();
  (watcher.stdin as unknown as { unref(): void }).unref();
  return watcher;
}

/** SIGINT is PostgreSQL's fast shutdown: open sessions are ended, committed work is on disk. */
async function stopServer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  await stopProcess(child.pid, child);
}

/** A server whose node was killed while its watcher could not act (or has not yet) is stopped before ours is started. */
async function stopLeftOver(cluster: string, log: EmbeddedOptions['log']): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number.parseInt(await readFile(pidFile, 'utf8'), 10);
  if (!(pid > 0) || !isAlive(pid) || !(await isServerOf(pid, cluster))) {
    // A zombie, or a program the id was given to since, would pass for a running server, and PostgreSQL would refuse to
    // start. Backends that outlived their server are still noticed without the file, by their shared memory.
    await rm(pidFile);
    return;
  }
  log('Stopping the database left running by a server that was killed ...');
  await stopProcess(pid);
}

/** /proc/PID/cmdline may be read for any account's process, unlike its working folder. */
async function isServerOf(pid: number, cluster: string): Promise<boolean> {
  const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined);
  if (line === undefined) return process.platform !== 'linux';
  const args = line.split('\0');
  return args.includes(cluster) && args.some((arg) => basename(arg) === 'postgres');
}

async function stopProcess(pid: number, child?: ChildProcess): Promise<void> {
  for (const [signal, patience] of [
    ['SIGINT', 60 * SECOND],
    ['SIGQUIT', 10 * SECOND],
    ['SIGKILL', 5 * SECOND],
  ] as const) {
    try {
      process.kill(pid, signal);
    } catch {
      return; // gone already
    }
    for (const until = Date.now() + patience; Date.now() < until; await sleep(10)) {
      if (child ? child.exitCode !== null || child.signalCode !== null : !isAlive(pid)) return;
    }
  }
  throw new Error(`The PostgreSQL process ${pid} cannot be stopped.`);
}

/** The port of the last start when it is still free, so that a tool someone has connected finds it again. */
async function freePort(preferred: number): Promise<number> {
  for (const wanted of preferred > 0 ? [preferred, 0] : [0]) {
    const probe = createServer();
    const listening = await new Promise<boolean>((done) => {
      probe.once('error', () => done(false));
      probe.listen(wanted, '127.0.0.1', () => done(true));
    });
    if (!listening) continue;
    const { port } = probe.address() as AddressInfo;
    await new Promise((done) => probe.close(done));
    return port;
  }
  throw new Error('No free port on 127.0.0.1 for the database.');
}

function urlsOf({ password, applicationPassword, port }: Secret) {
  return {
    url: urlOf(USER, password, port, DATABASE),
    applicationUrl: urlOf(APPLICATION_ROLE, applicationPassword, port, DATABASE),
  };
}

function urlOf(user: string, password: string, port: number, database: string): string {
  return `postgres://${user}:${password}@127.0.0.1:${port}/${database}`;
}
