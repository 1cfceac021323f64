import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import { sql } from '../platform/db/database.ts';
import { SYSTEM } from '../history/events.ts';
import type { Platform } from '../platform/platform.ts';
import { lockSome } from './store.ts';
import { LET_GO, transition } from './transition.ts';

const BATCH = 500;

/**
 * Moves payouts whose claim has run out to 'to be confirmed'; returns how many. Their claimer may have paid and not
 * said so yet: put back to waiting, the next supplier would pay a second time. Safe on any number of nodes at once.
 */
export function expireClaims(platform: Platform, at: Date = platform.clock.now()): Promise<number> {
  return platform.db.tx(async (tx) => {
    const due = await lockSome(tx, sql`o.claimed_until <= ${at}`, BATCH);
    await transition(
      platform,
      tx,
      due.map((order) => ({
        orderId: order.id,
        kind: 'claimExpired',
        from: order.status,
        to: PAYOUT_STATUS.toBeConfirmed,
        actor: SYSTEM,
        data: { supplierId: String(order.supplierId) },
      })),
      LET_GO,
    );
    return due.length;
  });
}
