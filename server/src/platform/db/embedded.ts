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
  /** Overrides of SETTINGS. Tests turn durability off. */
  settings?: Record<string, string>;
}

export interface EmbeddedDatabase {
  /** The URL with the role of the owner. */
  url: string;
  /** The URL with the application's role, which may not change sealed rows. */
  applicationUrl: string;
  stop(): Promise<void>;
}

/** For two cores and a few GB of memory: short transactions, durable, a checkpoint every 15 minutes. */
const SETTINGS: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '', // a socket's path has at most 107 characters; the path of a data folder may be longer
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
 * Starts PostgreSQL 18 in `<dataDir>/postgres`, for this process alone. It stops when this process ends: `stop()` stops it cleanly, and a
 * small watcher process stops it after kill -9. If it outlives even the watcher, the next start stops it.
 */
export async function startEmbedded({ dataDir, log, settings }: EmbeddedOptions): Promise<EmbeddedDatabase> {
  // 0711: as root, PostgreSQL runs under another account, and that account must be able to enter its own folder.
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

/**
 * For commands beside the server (`code`, `verify`): joins the running server's database, or starts the database for the length of the
 * command.
 */
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
    // The data folder of an older version has no application role yet.
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

/** Creates the cluster beside its place and moves it there when it is complete. So an interrupted start leaves no half-made cluster. */
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
  // The built-in locale provider sorts the same on every machine, whatever its libc or ICU. So a cluster may be moved between machines.
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
    // The database gets its own session. Ctrl-C in a terminal reaches all our processes at once, and the database must end last.
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
    // The backends of a killed server take a moment to end. A port that was free may be taken before we use it. Both pass with another try.
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

/** Waits as long as the server process lives, because recovery after a crash may take long. False when the process has ended. */
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
      // The server refuses connections until it listens, answers 57P03 while it starts, and may reset connections in between. Other errors
      // do not pass by waiting.
      if (!['ECONNREFUSED', 'ECONNRESET', '57P03', ''].includes(code)) throw error;
    }
    if ((await Promise.race([gone, sleep(20)])) === 'gone') return false;
  }
}

/** Starts a watcher process. Its input closes when this process ends in any way; then it asks the server for a fast shutdown. */
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

/** Asks for PostgreSQL's fast shutdown (SIGINT): it ends open sessions; committed work is on disk. */
async function stopServer(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  await stopProcess(child.pid, child);
}

/** Stops a server whose node was killed and whose watcher has not stopped it, before ours starts. */
async function stopLeftOver(cluster: string, log: EmbeddedOptions['log']): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number.parseInt(await readFile(pidFile, 'utf8'), 10);
  if (!(pid > 0) || !isAlive(pid) || !(await isServerOf(pid, cluster))) {
    // A zombie, or another program with the same process id, would look like a running server, and PostgreSQL would refuse to start.
    // Without the file PostgreSQL still notices backends that outlived their server, by their shared memory.
    await rm(pidFile);
    return;
  }
  log('Stopping the database left running by a server that was killed ...');
  await stopProcess(pid);
}

/** Whether a process is the server of this cluster. /proc/PID/cmdline is readable for any account's process; its working folder is not. */
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

/** The port of the last start if it is free, so that a connected tool finds the database again. */
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
