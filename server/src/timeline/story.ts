import type { getDetail } from '@sangam/contract/endpoints/order.ts';
import { CALLBACK_STATES } from '@sangam/contract/endpoints/story.ts';
import { verdictOf } from '@sangam/contract/evidence.ts';
import { seesWhole } from '@sangam/contract/personal-data.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { callbacksOfOrder, type AttemptView, type CallbackView } from '../callbacks/of-order.ts';
import { sql } from '../platform/db/database.ts';
import { isInParts } from '../ledger/as-shown.ts';
import { entriesOfOrder } from '../ledger/order-entries.ts';
import { maskText } from '../platform/masking.ts';
import type { Platform } from '../platform/platform.ts';
import { isStaff, nameFor, type Viewer } from '../platform/viewer.ts';
import { STAFF_EVENTS, SUPPLIER_EVENTS } from '../history/events.ts';
import { lowestIdAfter } from '../platform/db/ids.ts';

type Detail = z.input<typeof getDetail.output>;

/** Timeline, messages, callbacks and ledger entries of an order of either direction, limited to what the viewer may see. */
export type Story = Omit<Detail, 'order'>;

/** Reads the story of an order that the viewer may see. */
export async function readStory(platform: Platform, viewer: Viewer, orderId: bigint): Promise<Story> {
  const staff = isStaff(viewer);
  const merchantSide = staff || viewer.role === 'merchant';
  const [events, messages, callbacks, entries] = await Promise.all([
    readEvents(platform, orderId),
    staff || viewer.role === 'supplier' ? readMessages(platform, viewer, orderId) : [],
    merchantSide ? callbacksOfOrder(platform.db, orderId) : { callbacks: [], attempts: [] },
    entriesOfOrder(platform.db, orderId),
  ]);
  return {
    events: events
      .filter((event) => !unseenEvents(viewer).includes(event.kind))
      .filter((event) => merchantSide || !event.kind.startsWith('callback'))
      .map((event) => ({
        id: String(event.id),
        kind: event.kind,
        fromStatus: event.from,
        toStatus: event.to,
        actor: actorFor(event, viewer),
        reason: mayReadReason(event, viewer) ? event.reason : null,
        ip: staff ? event.ip : null,
        data: staff ? withoutAllocation(event.data) : {},
        time: formatTime(event.createdAt),
      })),
    messages,
    callbacks: callbacks.callbacks.map((callback) => callbackRow(callback, callbacks.attempts, viewer)),
    entries: entries
      .filter(
        (entry) =>
          staff ||
          (entry.ownerKind === viewer.role && entry.ownerId === (viewer.merchantId ?? viewer.supplierId)),
      )
      .map((entry) => ({
        id: String(entry.id),
        postingId: String(entry.postingId),
        postingKind: entry.postingKind,
        ownerKind: entry.ownerKind,
        ownerName: entry.ownerName,
        bucket: entry.bucket,
        currency: entry.currency,
        amount: Number(entry.amount),
        balanceAfter: isInParts(entry) ? null : Number(entry.balanceAfter),
        time: formatTime(entry.createdAt),
      })),
  };
}

/** The kinds of events that this viewer does not see. */
function unseenEvents(viewer: Viewer): readonly string[] {
  if (isStaff(viewer)) return [];
  return viewer.role === 'merchant' ? [...STAFF_EVENTS, ...SUPPLIER_EVENTS] : STAFF_EVENTS;
}

/** The actor, as this viewer may see it. Names of operators and devices are shown only within the party they belong to. */
function actorFor(event: EventView, viewer: Viewer): string {
  if (event.actorKind === 'monitor' && viewer.role === 'merchant') return 'system';
  if (event.actorKind === 'merchant' && viewer.role === 'supplier') return 'merchant';
  const name = event.actorName ?? event.actorKind;
  return event.actorKind === 'user' ? nameFor(viewer, name, { isOwn: isOwn(event, viewer) }) : name;
}

/** Whether a user of the viewer's own merchant or supplier did it. */
function isOwn({ merchantId, supplierId }: EventView, viewer: Viewer): boolean {
  return (
    (merchantId !== null && merchantId === viewer.merchantId) ||
    (supplierId !== null && supplierId === viewer.supplierId)
  );
}

/** Staff's reasons are for staff. The exception: the payout's merchant sees why it was refused. */
function mayReadReason(event: EventView, viewer: Viewer): boolean {
  if (event.actorKind !== 'user' || isStaff(viewer) || isOwn(event, viewer)) return true;
  return event.kind === 'rejecting' && viewer.role === 'merchant';
}

interface EventView {
  readonly id: bigint;
  readonly kind: string;
  readonly from: number | null;
  readonly to: number | null;
  readonly actorKind: string;
  readonly actorName: string | null;
  /** Of the acting user, if it is a merchant's or a supplier's. */
  readonly merchantId: bigint | null;
  readonly supplierId: bigint | null;
  readonly reason: string | null;
  readonly ip: string | null;
  readonly data: Record<string, unknown>;
  readonly createdAt: Date;
}

// An order's events are younger than the order, so the bound on the id skips older months.
function readEvents(platform: Platform, orderId: bigint): Promise<EventView[]> {
  return platform.db.query<EventView>(sql`
    select e.id, e.kind, e.from_status as "from", e.to_status as "to", e.actor_kind as "actorKind",
      case e.actor_kind when 'user' then u.nickname when 'merchant' then m.name when 'monitor' then mo.name end as "actorName",
      coalesce(um.id, pm.merchant_id) as "merchantId", coalesce(us.id, pm.supplier_id) as "supplierId",
      e.reason, e.ip, e.data, e.created_at as "createdAt"
    from order_events e
    left join users u on e.actor_kind = 'user' and u.id = e.actor_id
    left join merchants um on um.user_id = u.id
    left join suppliers us on us.user_id = u.id
    left join party_members pm on pm.user_id = u.id
    left join merchants m on e.actor_kind = 'merchant' and m.id = e.actor_id
    left join monitors mo on e.actor_kind = 'monitor' and mo.id = e.actor_id
    where e.order_id = ${orderId} and e.id > ${lowestIdAfter(orderId)} order by e.id`);
}

/** Masked like the list of messages (matching/list.ts). */
async function readMessages(
  platform: Platform,
  viewer: Viewer,
  orderId: bigint,
): Promise<Detail['messages']> {
  const rows = await platform.db.query<{
    id: bigint;
    sender: string;
    text: string;
    amount: bigint | null;
    utr: string | null;
    state: string;
    reason: string | null;
    evidence: string | null;
    receivedAt: Date;
  }>(sql`
    select m.id, m.sender, m.text, m.amount, m.utr, m.state, m.reason, mm.evidence, m.received_at as "receivedAt"
    from messages m left join message_matches mm on mm.message_id = m.id
    where m.order_id = ${orderId} order by m.id`);
  const shown = (text: string, utr: string | null) =>
    seesWhole(viewer, 'text') ? text : maskText(text, utr);
  return rows.map(({ receivedAt, reason, evidence, ...row }) => ({
    ...row,
    sender: shown(row.sender, row.utr),
    text: shown(row.text, row.utr),
    verdict: verdictOf(row.state, reason, evidence).reason,
    confidence: verdictOf(row.state, reason, evidence).confidence,
    id: String(row.id),
    amount: row.amount === null ? null : Number(row.amount),
    receivedTime: formatTime(receivedAt),
  }));
}

/** Masked like the list of attempts (callbacks/list.ts). */
function callbackRow(
  callback: CallbackView,
  attempts: readonly AttemptView[],
  viewer: Viewer,
): Detail['callbacks'][number] {
  const shown = (text: string) => (seesWhole(viewer, 'text') ? text : maskText(text, null));
  return {
    id: String(callback.id),
    kind: callback.kind,
    state: CALLBACK_STATES[callback.state],
    attempts: callback.attempts,
    nextTime: callback.nextAt && formatTime(callback.nextAt),
    createTime: formatTime(callback.createdAt),
    attemptList: attempts
      .filter((attempt) => attempt.callbackId === callback.id)
      .map(({ callbackId: _, createdAt, ...attempt }) => ({
        ...attempt,
        id: String(attempt.id),
        url: shown(attempt.url),
        request: shown(attempt.request),
        answer: attempt.answer && shown(attempt.answer),
        time: formatTime(createdAt),
      })),
  };
}

/** Leaves out the allocation. getOrderAllocateInfo shows it to those who may see it. */
function withoutAllocation({
  run: _,
  verdicts: __,
  ...data
}: Record<string, unknown>): Record<string, unknown> {
  return data;
}
