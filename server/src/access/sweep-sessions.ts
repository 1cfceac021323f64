import { DAY } from '../platform/clock.ts';
import type { Platform } from '../platform/platform.ts';
import { deleteSessionsBefore } from './session-store.ts';

/** How long an ended session is kept. The audit keeps who signed in from where. */
const KEPT = 30 * DAY;
const AT_ONCE = 1_000;

/** Deletes sessions that ended or expired long ago, in short statements; answers how many. */
export async function sweepSessions({ db, clock }: Platform): Promise<number> {
  const before = new Date(clock.now().getTime() - KEPT);
  let all = 0;
  let deleted: number;
  do {
    deleted = await deleteSessionsBefore(db, before, AT_ONCE);
    all += deleted;
  } while (deleted === AT_ONCE);
  return all;
}
