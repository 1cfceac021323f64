import type { getErrorList } from '@sangam/contract/endpoints/error-log.ts';
import type { Role } from '@sangam/contract/roles.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { empty, sql } from '../../platform/db/database.ts';
import { readPage, timeFilter } from '../../platform/db/page.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, type Refusal } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';

const DEFAULT_DAYS = 31;
/** The roles that see all users' errors. */
const SEES_ALL: readonly Role[] = ['superAdmin', 'technicalMaintenance', 'technicalSupport'];

interface Row {
  readonly id: bigint;
  readonly type: 'script' | 'ajax';
  readonly code: number;
  readonly mes: string;
  readonly url: string;
  readonly stack: string | null;
  readonly account: string;
  readonly role: Role;
  readonly userAgent: string;
  readonly count: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
}

/** Errors in consoles, newest first: the viewer's own, or everybody's. */
export async function listErrors(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof getErrorList.input>,
): Promise<z.input<typeof getErrorList.output> | Refusal> {
  const page = await readPage<Row>(platform, input, {
    columns: sql`e.id, e.kind as type, e.code, e.message as mes, e.url, e.stack, u.account, u.role,
      e.user_agent as "userAgent", e.count, e.first_at as "firstAt", e.last_at as "lastAt"`,
    from: sql`
      from error_log e join users u on u.id = e.user_id
      where true ${timeFilter(sql`e.id`, input, platform.clock.now(), DEFAULT_DAYS)}
        ${SEES_ALL.includes(viewer.role) ? empty : sql`and e.user_id = ${viewer.userId}`}
        ${input.type === undefined ? empty : sql`and e.kind = ${input.type}`}`,
    key: sql`e.id`,
  });
  if (isRefusal(page)) return page;
  const list = page.list.map(({ firstAt, lastAt, ...row }) => ({
    ...row,
    id: String(row.id),
    firstTime: formatTime(firstAt),
    lastTime: formatTime(lastAt),
  }));
  return { ...page, list };
}
