import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import { MINUTE } from '../platform/clock.ts';
import { type Tx, sql } from '../platform/db/database.ts';
import { SYSTEM } from '../history/events.ts';
import type { Mend } from '../platform/mend.ts';
import type { Platform } from '../platform/platform.ts';
import type { PayoutOrder } from './order.ts';
import { lockSome } from './store.ts';
import { LET_GO, transition } from './transition.ts';

const BATCH = 500;
/** A claim that ran out longer ago than this was missed by the sweep. */
const OVERDUE = MINUTE;

/**
 * Moves payouts whose claim has run out to 'to be confirmed'; returns how many. They do not go back to waiting: the claimer may have paid
 * and not said so yet, and the next supplier would pay a second time. Any number of nodes may run it at once.
 */
export async function expireClaims(platform: Platform, at: Date = platform.clock.now()): Promise<number> {
  return (await platform.db.tx((tx) => expire(platform, tx, at))).length;
}

/** The same for claims that the sweep has missed; returns what it changed. */
export async function mendClaims(platform: Platform, tx: Tx, at: Date): Promise<Mend[]> {
  const expired = await expire(platform, tx, new Date(at.getTime() - OVERDUE));
  return expired.map(({ id, status, supplierId }) => ({
    kind: 'payoutClaim',
    subject: `order:${id}`,
    before: { status, supplierId: String(supplierId) },
    after: { status: PAYOUT_STATUS.toBeConfirmed, supplierId: String(supplierId) },
  }));
}

async function expire(platform: Platform, tx: Tx, dueBy: Date): Promise<PayoutOrder[]> {
  const due = await lockSome(tx, sql`o.claimed_until <= ${dueBy}`, BATCH, { name: 'claims that ran out' });
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
  return due;
}
