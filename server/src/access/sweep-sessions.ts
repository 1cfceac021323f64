import { DAY } from '../platform/clock.ts';
import type { Platform } from '../platform/platform.ts';
import { deleteSessionsBefore } from './session-store.ts';

/** The audit keeps who signed in from where, so an ended session holds nothing more after this time. */
const KEPT = 30 * DAY;
const AT_ONCE = 1_000;

/** Deletes sessions that ended or ran out long ago, in short statements; says how many. */
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
