import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import { cappedCount, cappedCountOf } from '../platform/db/capped-count.ts';
import { type Sql, sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import type { Viewer } from '../platform/viewer.ts';
import { ofSupplier, payoutScope } from './actions.ts';

const WAITING = {
  payoutsWaiting: sql`o.status = ${PAYOUT_STATUS.waiting}`,
  payoutsClaimed: sql`o.status = ${PAYOUT_STATUS.preparing}`,
  payoutsToConfirm: sql`o.status = ${PAYOUT_STATUS.toBeConfirmed}`,
  payoutErrors: sql`o.status = ${PAYOUT_STATUS.processingError}`,
  payoutsUnproven: sql`o.unproven`,
} as const satisfies Record<string, Sql>;

/** How many payouts of this kind the viewer may see. */
export function countWaitingPayouts(
  platform: Platform,
  viewer: Viewer,
  kind: keyof typeof WAITING,
): Promise<number> {
  return cappedCount(
    platform,
    sql`from payout_orders o where ${WAITING[kind]} ${payoutScope(viewer)}`,
    sql`o.id`,
  );
}

/** For each of these suppliers: how many payouts it may claim, and how many it has claimed. One statement for all. */
export function countPayoutsOf(
  platform: Platform,
  supplierIds: readonly bigint[],
): Promise<{ readonly id: bigint; readonly payoutsWaiting: number; readonly payoutsClaimed: number }[]> {
  const of = (kind: keyof typeof WAITING) =>
    cappedCountOf(
      platform,
      sql`from payout_orders o where ${WAITING[kind]} and ${ofSupplier(sql`m.id`)}`,
      sql`o.id`,
    );
  return platform.db.query(sql`
    select m.id, ${of('payoutsWaiting')} as "payoutsWaiting", ${of('payoutsClaimed')} as "payoutsClaimed"
    from unnest(${supplierIds}::bigint[]) m (id)`);
}
