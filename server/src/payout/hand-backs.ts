import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import { sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import type { Viewer } from '../platform/viewer.ts';
import { payoutVersion } from './actions.ts';
import type { PayoutOrder } from './order.ts';

/** Those of a supplier's payouts that it has asked to hand back and nobody has decided yet. Empty for other viewers. */
export async function waitingHandBacks(
  platform: Platform,
  viewer: Viewer,
  orders: readonly PayoutOrder[],
): Promise<ReadonlySet<bigint>> {
  const asked =
    viewer.role === 'supplier' ? orders.filter(({ status }) => status === PAYOUT_STATUS.toBeConfirmed) : [];
  if (asked.length === 0) return new Set();
  const requests = await platform.db.query<{ id: bigint; version: string }>(sql`
    select subject_id as id, payload->>'version' as version from approvals
    where kind = 'unprovenPayout' and status = 'pending' and expires_at > ${platform.clock.now()}
      and subject_kind = 'order' and subject_id = any(${asked.map(({ id }) => id)}::bigint[]) and payload->'said' ? 'handsBack'`);
  const versions = new Set(requests.map(({ id, version }) => `${id} ${version}`));
  return new Set(
    asked.filter((order) => versions.has(`${order.id} ${payoutVersion(order)}`)).map(({ id }) => id),
  );
}
