import { statfs } from 'node:fs/promises';
import { hostname } from 'node:os';
import { SECOND } from '../platform/clock.ts';
import { leased } from '../platform/db/lease.ts';
import type { Platform } from '../platform/platform.ts';
import { CAUSES } from './causes.ts';
import { closeAlert, raiseAlert } from './raise.ts';

const PAUSE = 30 * SECOND;
/** Percent; PostgreSQL stops at 100. */
const FULL_DISK = 90;

/** Looks at every cause, on one node at a time: raises what is wrong and closes what is right again. */
export function watchCauses(platform: Platform): Promise<boolean> {
  return leased(platform, 'alerts.watch', async () => {
    for (const { kind, look } of CAUSES) {
      // One look that fails does not keep the others away.
      await look(platform).catch((error: unknown) =>
        platform.log.error({ err: error, kind }, 'a cause of alerts could not be looked at'),
      );
    }
    return new Date(platform.clock.now().getTime() + PAUSE);
  });
}

export interface Disk {
  /** Of the same unit. */
  readonly blocks: number;
  readonly bavail: number;
}

/** Each node looks at the disk its own files are on. */
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
