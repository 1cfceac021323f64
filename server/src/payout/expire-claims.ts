import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import { sql } from '../db/database.ts';
import { SYSTEM, writeEvents } from '../history/events.ts';
import type { Platform } from '../platform.ts';
import { lockSome, putBack } from './store.ts';

const BATCH = 500;

/** Puts payouts whose claim has run out back to waiting; returns how many. Safe on any number of nodes at once. */
export function expireClaims(platform: Platform, at: Date = platform.clock.now()): Promise<number> {
  return platform.db.tx(async (tx) => {
    const due = await lockSome(tx, sql`o.claimed_until <= ${at}`, BATCH);
    await putBack(
      tx,
      due.map((order) => order.id),
    );
    await writeEvents(
      platform,
      tx,
      due.map((order) => ({
        orderId: order.id,
        kind: 'claimExpired',
        from: order.status,
        to: PAYOUT_STATUS.waiting,
        actor: SYSTEM,
        data: { supplierId: String(order.supplierId) },
      })),
    );
    return due.length;
  });
}
