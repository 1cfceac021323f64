import { businessDay } from '@sangam/contract/time.ts';
import { type Tx, sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import type { Viewer } from '../platform/viewer.ts';

/** A supplier sees the payees of payouts it takes. What it gives back unpaid is counted, so that it does not take payouts only to look. */

/** Counts payouts that a supplier gives back. Does nothing for other roles. */
export async function countGivenBack(
  platform: Platform,
  tx: Tx,
  { role, supplierId }: Pick<Viewer, 'role' | 'supplierId'>,
  payouts: number,
): Promise<void> {
  if (role !== 'supplier' || payouts === 0) return;
  await tx.query(sql`
    insert into given_back_days as d (supplier_id, day, payouts)
    values (${supplierId}, ${businessDay(platform.clock.now())}, ${payouts})
    on conflict (supplier_id, day) do update set payouts = d.payouts + excluded.payouts`);
}

/**
 * How many more payouts a supplier may give back today (setting ClaimsGivenBackPerDay). At 0 it may take no more. Other roles: no limit.
 */
export async function mayGiveBack(platform: Platform, tx: Tx, { role, supplierId }: Viewer): Promise<number> {
  if (role !== 'supplier') return Number.POSITIVE_INFINITY;
  const { ClaimsGivenBackPerDay } = await platform.settings.all();
  const [row] = await tx.query<{ payouts: number }>(sql`
    select payouts from given_back_days where supplier_id = ${supplierId} and day = ${businessDay(platform.clock.now())}`);
  return ClaimsGivenBackPerDay - (row?.payouts ?? 0);
}
