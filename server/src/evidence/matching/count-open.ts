import type { MESSAGE_STATES } from '@sangam/contract/endpoints/outside.ts';
import { cappedCount } from '../../platform/db/capped-count.ts';
import { sql } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { scopeOf, type Viewer } from '../../platform/viewer.ts';

/** Counts the messages in this state that the viewer may see. */
export function countMessages(
  platform: Platform,
  viewer: Viewer,
  state: (typeof MESSAGE_STATES)[number],
): Promise<number> {
  const scope = scopeOf(viewer, { supplier: sql`m.supplier_id` });
  return cappedCount(platform, sql`from messages m where m.state = ${state} ${scope}`, sql`m.id`);
}
