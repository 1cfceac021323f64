import type { Queryable } from '../../platform/db/database.ts';
import { liveVersionOf } from './store.ts';

/** Whether an account's script has a live version. */
export async function hasLiveScript(db: Queryable, accountId: bigint): Promise<boolean> {
  return (await liveVersionOf(db, accountId)) !== undefined;
}
