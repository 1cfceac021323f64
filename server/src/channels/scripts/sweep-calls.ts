import { DAY } from '../../platform/clock.ts';
import { firstIdAt } from '../../platform/db/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import { deleteCallsBefore } from './store.ts';

const KEPT = 30 * DAY;
const AT_ONCE = 1_000;

/** Deletes records of calls that are older than a month. The history of the orders stays. */
export async function sweepCalls({ db, clock }: Platform): Promise<void> {
  const first = firstIdAt(new Date(clock.now().getTime() - KEPT));
  while ((await deleteCallsBefore(db, first, AT_ONCE)) === AT_ONCE);
}
