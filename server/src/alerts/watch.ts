import { stat, statfs } from 'node:fs/promises';
import { hostname } from 'node:os';
import { HOUR, SECOND } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { leased } from '../platform/db/lease.ts';
import type { Platform } from '../platform/platform.ts';
import { CAUSES } from './causes.ts';
import { closeAlert, raiseAlert } from './raise.ts';

const PAUSE = 30 * SECOND;
/** Percent of the disk. PostgreSQL stops at 100. */
const FULL_DISK = 90;
/** A daily backup, and two hours that it may take longer than the one before. */
const BACKUP_WITHIN = 26 * HOUR;

/** Looks for every cause, on one node at a time. Raises what is wrong and closes what is right again. */
export function watchCauses(platform: Platform): Promise<boolean> {
  return leased(platform, 'alerts.watch', async () => {
    for (const { kind, look } of CAUSES) {
      // One failed look must not stop the others.
      await look(platform).catch((error: unknown) =>
        platform.log.error({ err: error, kind }, 'a cause of alerts could not be looked at'),
      );
    }
    return new Date(platform.clock.now().getTime() + PAUSE);
  });
}

export interface Disk {
  /** In the same unit. */
  readonly blocks: number;
  readonly bavail: number;
}

/** Each node watches the disk that holds its own files. */
export async function watchDisk(
  platform: Platform,
  read: (folder: string) => Promise<Disk> = (folder) => statfs(folder),
): Promise<void> {
  const { blocks, bavail } = await read(platform.config.dataDir);
  const percent = Math.floor((1 - bavail / blocks) * 100);
  const node = hostname();
  if (percent >= FULL_DISK)
    await raiseAlert(platform, { kind: 'diskFull', subject: node, data: { node, percent } });
  else await closeAlert(platform, 'diskFull', node);
}

/** A node that is told where the backup job leaves its stamp (BACKUP_STAMP) looks how old that file is. */
export async function watchBackup(platform: Platform): Promise<void> {
  const { backupStamp } = platform.config;
  if (backupStamp === undefined) return;
  const at = (await doneAt(backupStamp)) ?? (await installedAt(platform));
  const age = platform.clock.now().getTime() - at.getTime();
  if (age > BACKUP_WITHIN)
    await raiseAlert(platform, {
      kind: 'backupOld',
      subject: 'backup',
      data: { hours: Math.floor(age / HOUR) },
    });
  else await closeAlert(platform, 'backupOld', 'backup');
}

/** Undefined: there was no backup yet. */
async function doneAt(stamp: string): Promise<Date | undefined> {
  try {
    return (await stat(stamp)).mtime;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function installedAt({ db }: Platform): Promise<Date> {
  const [row] = await db.query<{ at: Date }>(sql`select marked_at as at from installation`);
  return row!.at;
}
