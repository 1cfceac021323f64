import { readFileSync } from 'node:fs';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError } from '../environment.ts';

const SETTLE_MS = 200;

/**
 * Makes this process the one owner of the embedded database in a data folder. The file names the owner by process id and start time. So the
 * file of a killed process never blocks a start, even when its process id is in use again.
 */
export async function claimDataFolder(dataDir: string): Promise<() => Promise<void>> {
  const file = ownerFile(dataDir);
  const mine = `${process.pid} ${startOf(process.pid)}\n`;
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, mine, { mode: 0o600 });
  try {
    await link(draft, file); // atomic, unlike creating the file and then writing into it
    await rm(draft);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const owner = await livingOwner(dataDir);
    if (owner !== undefined) {
      await rm(draft);
      throw inUse(dataDir, owner);
    }
    // Two processes may find the same dead owner at once. The last one to write wins, and the other one sees that after a moment.
    await rename(draft, file);
    await sleep(SETTLE_MS);
    const winner = await livingOwner(dataDir);
    if (winner !== process.pid) throw inUse(dataDir, winner);
  }
  return () => rm(file, { force: true });
}

/** The id of the process that owns the data folder's database, if that process still runs. */
export async function livingOwner(dataDir: string): Promise<number | undefined> {
  const text = await readFile(ownerFile(dataDir), 'utf8').catch(() => '');
  const [pid, started] = text.trim().split(' ');
  if (!pid || !isAlive(Number(pid)) || startOf(Number(pid)) !== started) return undefined;
  return Number(pid);
}

/** Whether a process runs. A zombie counts as gone: where process 1 of a container reaps no orphans, it would live for ever. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  return statOf(pid)?.[0] !== 'Z';
}

function inUse(dataDir: string, owner: number | undefined): ConfigError {
  return new ConfigError(
    `Another server${owner === undefined ? '' : ` (process ${owner})`} is already running on the data folder ${dataDir}: ` +
      'stop it, give this one another DATA_DIR, or let both share one database through DATABASE_URL.',
  );
}

function ownerFile(dataDir: string): string {
  return join(dataDir, 'postgres.owner');
}

function startOf(pid: number): string {
  return statOf(pid)?.[19] ?? 'unknown';
}

/** The fields of /proc/PID/stat after the name, which may hold spaces. The state comes first, the start time is the twentieth. */
function statOf(pid: number): string[] | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return line.slice(line.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined; // not Linux, or gone
  }
}
