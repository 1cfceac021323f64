import { type Tx, hot, sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import type { Viewer } from '../platform/viewer.ts';
import { columnNames, unnestRows } from '../platform/db/unnest-rows.ts';
import { noteChanges } from './changes.ts';

export type EventKind =
  | 'created'
  | 'allocated'
  | 'allocationFailed'
  | 'paid'
  | 'supplemented'
  | 'timedOut'
  | 'reselected'
  | 'released'
  | 'callbackSucceeded'
  | 'callbackFailed'
  | 'callbackRequested'
  | 'callbackWithdrawn'
  | 'reversed'
  | 'offsetCorrected'
  | 'utrSubmitted'
  | 'payerNamed'
  | 'pictureAdded'
  | StaffEventKind
  | PayoutEventKind;

/**
 * Holds and marks are no business of those they concern, notes are the desk's own, and slips are shown to it alone.
 */
type StaffEventKind = (typeof STAFF_EVENTS)[number];
export const STAFF_EVENTS = [
  'frozen',
  'unfrozen',
  'evidenceHeld',
  'reversalHeld',
  'contradicted',
  'marked',
  'noted',
  'slipAdded',
] as const;

/** How a payout was given to a supplier, and whether its word is proven yet: not told to the merchant. */
export const SUPPLIER_EVENTS = [
  'claimed',
  'claimCancelled',
  'claimExpired',
  'handedBack',
  'proven',
  'proofAccepted',
] as const;

type PayoutEventKind =
  | (typeof SUPPLIER_EVENTS)[number]
  | 'dispatched'
  | 'batched'
  | 'unbatched'
  | 'submitted'
  | 'accepted'
  | 'unanswered'
  | 'held'
  | 'failed'
  | 'completed'
  | 'rejecting'
  | 'rejected'
  | 'cancelled'
  | 'unlocked';

export interface Actor {
  readonly kind: 'user' | 'merchant' | 'payer' | 'monitor' | 'system';
  readonly id: bigint | null;
  readonly ip: string | null;
}

export const SYSTEM: Actor = { kind: 'system', id: null, ip: null };

export function actorOf(viewer: Viewer): Actor {
  return { kind: 'user', id: viewer.userId, ip: viewer.ip };
}

export interface OrderEvent {
  readonly orderId: bigint;
  readonly kind: EventKind;
  readonly from: number | null;
  readonly to: number | null;
  readonly actor: Actor;
  readonly reason?: string;
  readonly data?: Readonly<Record<string, unknown>>;
  /** When history is written afterwards; the clock's now otherwise. */
  readonly at?: Date;
}

const EVENT = {
  id: 'bigint',
  orderId: 'bigint',
  kind: 'text',
  fromStatus: 'smallint',
  toStatus: 'smallint',
  actorKind: 'text',
  actorId: 'bigint',
  reason: 'text',
  ip: 'text',
  data: 'jsonb',
  createdAt: 'timestamptz',
} as const;

/** Events after which an order may count differently in what is counted of orders. */
const CHANGES: ReadonlySet<EventKind> = new Set([
  'created',
  'paid',
  'supplemented',
  'callbackSucceeded',
  'utrSubmitted',
  'reselected',
  'marked',
]);

/**
 * Writes history: every transition calls it in its own transaction, which fails at its end if this could not be written. What
 * counts orders hears of them through the queue that is written with it.
 */
export async function writeEvents(platform: Platform, tx: Tx, events: readonly OrderEvent[]): Promise<void> {
  if (events.length === 0) return;
  const now = platform.clock.now();
  const ids = events.map((event) => platform.ids.next(event.at));
  tx.send(
    hot(
      'write events',
      sql`
    insert into order_events (${columnNames(EVENT)})
    select * from ${unnestRows(
      EVENT,
      events.map((event, index) => ({
        ...event,
        id: ids[index],
        fromStatus: event.from,
        toStatus: event.to,
        actorKind: event.actor.kind,
        actorId: event.actor.id,
        reason: event.reason ?? null,
        ip: event.actor.ip,
        data: event.data ?? {},
        createdAt: event.at ?? now,
      })),
    )}`,
    ),
  );
  noteChanges(
    tx,
    events.flatMap(({ kind, orderId, from, to }, index) =>
      CHANGES.has(kind)
        ? [{ id: ids[index]!, orderId, told: kind === 'callbackSucceeded' && from !== to }]
        : [],
    ),
  );
}
