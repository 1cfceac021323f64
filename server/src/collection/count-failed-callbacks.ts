import { COLLECTION_STATUS } from '@sangam/contract/orders.ts';
import { cappedCount } from '../platform/db/capped-count.ts';
import { sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import type { Viewer } from '../platform/viewer.ts';
import { orderScope } from './actions.ts';

/** How many paid orders with a failed callback the viewer may see. */
export function countFailedCallbacks(platform: Platform, viewer: Viewer): Promise<number> {
  return cappedCount(
    platform,
    sql`from collection_orders o where o.stage = ${COLLECTION_STATUS.callbackFailed} ${orderScope(viewer)}`,
    sql`o.id`,
  );
}
