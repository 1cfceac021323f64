import type { z } from 'zod';
import type { sessionRow } from '@sangam/contract/endpoints/user.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { Platform } from '../platform/platform.ts';
import type { Viewer } from '../platform/viewer.ts';
import { listOpenSessions } from './session-store.ts';

/** Open sessions: all of them for superAdmin and technicalMaintenance, the viewer's own for others. */
export async function getSessions(
  platform: Platform,
  viewer: Viewer,
): Promise<{ readonly list: z.input<typeof sessionRow>[] }> {
  const seesAll = viewer.role === 'superAdmin' || viewer.role === 'technicalMaintenance';
  const now = platform.clock.now();
  const rows = await listOpenSessions(platform.db, now, seesAll ? undefined : viewer.userId);
  return {
    list: rows.map((row) => ({
      token: String(row.id),
      account: row.account,
      role: row.role,
      ip: row.ip,
      userAgent: row.userAgent,
      createTime: formatTime(row.createdAt),
      lastSeenTime: formatTime(row.lastSeenAt),
      current: row.id === viewer.sessionId,
    })),
  };
}
