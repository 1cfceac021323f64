import { DAY } from '../../platform/clock.ts';
import type { Platform } from '../../platform/platform.ts';
import { deleteErrorsBefore } from './store.ts';

const KEPT = 30 * DAY;
const AT_ONCE = 1_000;

/** Deletes errors that did not occur for a month. */
export async function sweepErrors({ db, clock }: Platform): Promise<void> {
  const before = new Date(clock.now().getTime() - KEPT);
  while ((await deleteErrorsBefore(db, before, AT_ONCE)) === AT_ONCE);
}
