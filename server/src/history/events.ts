import { type AuditEntry, auditAll } from '../platform/audit/record.ts';
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
 * Events that only staff see: freezes and marks are kept from the merchants and suppliers they concern, notes belong to the
 * desk, and slips are shown to the desk alone.
 */
type StaffEventKind = (typeof STAFF_EVENTS)[number];
export const STAFF_EVENTS = [
  'frozen',
  'unfrozen',
  'evidenceHeld',
  'reversalHeld',
  'contradicted',
  'databaseRestored',
  'marked',
  'noted',
  'slipAdded',
] as const;

/** Whether an event of this kind is kept from everybody but staff. */
export const isForStaff = (kind: string): boolean => STAFF_EVENTS.some((each) => each === kind);

/** Events that the merchant does not see: how a payout was given to a supplier, and whether the supplier's statement is proven yet. */
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
  /** Set when an event is written later; the clock's now otherwise. */
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

/** Events after which an order may be counted differently (`changes.ts`). */
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
 * The name in the audit of what a person did to an order, by the event that tells of it. Null: no person causes such an event, or its action
 * has an audit entry of its own (a freeze, a reversal, a note, what is done to a batch or a callback).
 */
const AUDITED: Readonly<Record<EventKind, string | null>> = {
  created: null,
  allocated: null,
  allocationFailed: null,
  paid: 'order.completeHeld',
  supplemented: 'order.supplement',
  timedOut: 'order.timeOut',
  reselected: 'order.reselect',
  released: 'order.freeResource',
  callbackSucceeded: null,
  callbackFailed: null,
  callbackRequested: 'order.callback',
  callbackWithdrawn: null,
  reversed: null,
  offsetCorrected: 'order.correctOffset',
  utrSubmitted: null,
  payerNamed: null,
  pictureAdded: null,
  frozen: null,
  unfrozen: null,
  evidenceHeld: null,
  reversalHeld: null,
  contradicted: null,
  databaseRestored: null,
  marked: 'order.updateMark',
  noted: null,
  slipAdded: 'order.addSlip',
  claimed: 'order.claim',
  claimCancelled: 'order.cancelClaim',
  claimExpired: null,
  handedBack: 'order.handBack',
  proven: null,
  proofAccepted: 'order.acceptProof',
  dispatched: null,
  batched: null,
  unbatched: null,
  submitted: null,
  accepted: null,
  unanswered: null,
  held: null,
  failed: null,
  completed: 'order.confirmPaid',
  rejecting: 'order.reject',
  rejected: null,
  cancelled: 'order.cancel',
  unlocked: 'order.unlock',
};

/** The audit entry of an event that a person caused; none for an event whose action is audited otherwise. */
function auditOf({ orderId, kind, from, to, actor, reason, data = {} }: OrderEvent): AuditEntry[] {
  const action = AUDITED[kind];
  // What is done to a batch or a callback is audited under that batch or callback. The audit finds it for the order too.
  if (actor.kind !== 'user' || action === null || 'batchId' in data || 'callbackId' in data) return [];
  const moves = from !== to;
  const change =
    kind === 'marked'
      ? { before: { mark: data['before'] }, after: { mark: data['after'] } }
      : { before: moves ? { status: from } : null, after: { ...(moves && { status: to }), ...data } };
  return [
    {
      userId: actor.id,
      action,
      subject: `order:${orderId}`,
      ...change,
      reason: reason ?? null,
      ip: actor.ip,
    },
  ];
}

/**
 * Writes history. Every transition calls it in its own transaction; if the write fails, that transaction cannot commit. It also
 * queues the orders to be counted again, and writes to the audit what people did.
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
  auditAll(platform, tx, events.flatMap(auditOf));
  noteChanges(
    tx,
    events.flatMap(({ kind, orderId, from, to }, index) =>
      CHANGES.has(kind)
        ? [{ id: ids[index]!, orderId, told: kind === 'callbackSucceeded' && from !== to }]
        : [],
    ),
  );
}
