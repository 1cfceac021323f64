import { formatMinor } from '@sangam/contract/money.ts';
import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import { ADMINS } from '@sangam/contract/roles.ts';
import { audit } from '../platform/audit/record.ts';
import { type Queryable, type Sql, type Tx, sql } from '../platform/db/database.ts';
import { SYSTEM, writeEvents } from '../history/events.ts';
import { notify } from '../inbox/notify.ts';
import type { Platform } from '../platform/platform.ts';
import { normaliseReference } from '@sangam/contract/references.ts';
import type { PayoutOrder } from './order.ts';
import { lockPayouts } from './store.ts';
import { ID_SLACK, lowestIdAfter } from '../platform/db/ids.ts';

/** What a gateway says of one attempt, or a bank by a debit, against what the platform has written down. */
interface Contradiction {
  readonly said: 'failed' | 'processed' | 'accepted' | 'debited';
  readonly attempt: number;
  readonly reason?: string;
  readonly utr?: string | null;
  /** The debit's message; absent where the bank's file says so. */
  readonly messageId?: bigint;
}

const { cancelled, completed, processingError, rejected, rejecting, waiting } = PAYOUT_STATUS;
const UNPAID: ReadonlySet<number> = new Set([cancelled, processingError, rejected, rejecting]);
/** Statuses in which a payout can be paid again or refunded without anybody saying that it was not paid. */
export const NEXT_UNASKED: ReadonlySet<number> = new Set([waiting, processingError]);

/** SQL condition: the event (alias `e`) says that its payout was paid, or may have been, though it is written down as unpaid. */
const SAYS_PAID: Sql = sql`(e.kind = 'databaseRestored'
  or e.kind = 'contradicted' and e.data->>'said' in ('processed', 'accepted', 'debited'))`;

/** Whether the gateway's status completed the payout. Otherwise a person did, who may know of another payment. */
export async function isCompletedByGateway(tx: Tx, orderId: bigint): Promise<boolean> {
  return saysGateway(tx, orderId, 'completed');
}

async function saysGateway(tx: Tx, orderId: bigint, kind: 'completed' | 'reversed'): Promise<boolean> {
  const [event] = await tx.query(sql`
    select 1 from order_events
    where order_id = ${orderId} and id > ${lowestIdAfter(orderId)} and kind = ${kind} and data->>'by' = 'gateway'`);
  return event !== undefined;
}

/**
 * The UTR by which a locked payout is said to be paid belongs to another movement. The order stays as it is; the admins are notified once.
 */
export async function notifyClaimContradicted(
  platform: Platform,
  tx: Tx,
  order: PayoutOrder,
  utr: string,
): Promise<void> {
  const said = { said: 'elsewhere', utr };
  if (await isWritten(tx, order.id, said)) return;
  await write(platform, tx, order, said);
  await notify(platform, tx, { roles: ADMINS }, 'claimContradicted', { order: String(order.id), utr });
}

/**
 * A gateway paid a locked, open payout by its present attempt, but another amount or address than was ordered. The admins are notified once,
 * and the payout counts as said to be paid: it is not refunded or sent anew before two people have looked.
 */
export async function notifyPaidOtherwise(
  platform: Platform,
  tx: Tx,
  order: PayoutOrder,
  said: { readonly utr: string | null; readonly amount: bigint; readonly payeeAddress: string | undefined },
): Promise<void> {
  const which = { said: 'processed', attempt: order.attempt };
  if (await isWritten(tx, order.id, which)) return;
  const { utr, amount, payeeAddress: address } = said;
  const data = { ...which, amount: String(amount), ...(utr && { utr }), ...(address && { address }) };
  await write(platform, tx, order, data);
  await notify(platform, tx, { roles: ADMINS }, 'gatewayPaidOtherwise', {
    order: String(order.id),
    amount: `${formatMinor(amount, order.currency)} ${order.currency}`,
    utr: utr ?? '–',
    address: address ?? '–',
  });
}

/** Writes a contradiction to the history of a payout, whose status stays. */
function write(
  platform: Platform,
  tx: Tx,
  { id: orderId, status }: PayoutOrder,
  data: Readonly<Record<string, unknown>>,
  reason?: string,
): Promise<void> {
  const event = { orderId, kind: 'contradicted', from: status, to: status, actor: SYSTEM, data } as const;
  return writeEvents(platform, tx, [{ ...event, ...(reason !== undefined && { reason }) }]);
}

async function isWritten(tx: Tx, orderId: bigint, data: Readonly<Record<string, unknown>>): Promise<boolean> {
  const [event] = await tx.query(sql`
    select 1 from order_events
    where order_id = ${orderId} and id > ${lowestIdAfter(orderId)} and kind = 'contradicted' and data @> ${JSON.stringify(data)}::jsonb`);
  return event !== undefined;
}

/**
 * Ids of the events which say that a payout was paid, or may be, though it is written down as unpaid: the word of a gateway or a bank, or a
 * restore of the database. Left out are those that two people have looked at when they unfroze the payout.
 */
export async function undecidedContradictions(tx: Tx, orderId: bigint): Promise<readonly string[]> {
  return (await undecided(tx, [orderId])).map(({ id }) => String(id));
}

function undecided(
  tx: Tx,
  orderIds: readonly bigint[],
): Promise<{ orderId: bigint; id: bigint; said: string }[]> {
  const oldest = orderIds.reduce((least, id) => (id < least ? id : least));
  return tx.query(sql`
    select e.order_id as "orderId", e.id, coalesce(e.data->>'said', e.kind) as said from order_events e
    where e.order_id = any(${orderIds}) and e.id > ${lowestIdAfter(oldest)} and ${SAYS_PAID}
      and not exists (select from order_events u
        where u.order_id = e.order_id and u.id > ${lowestIdAfter(oldest)} and u.kind = 'unfrozen' and u.data->'contradictions' ? e.id::text)
    order by e.id`);
}

/**
 * Of these locked payouts, freezes those that are said to be paid, or may be (`undecidedContradictions`).
 */
export async function freezeContradicted(
  platform: Platform,
  tx: Tx,
  orderIds: readonly bigint[],
): Promise<void> {
  if (orderIds.length === 0) return;
  const words = new Map((await undecided(tx, orderIds)).map(({ orderId, said }) => [orderId, said]));
  if (words.size === 0) return;
  for (const order of await lockPayouts(tx, [...words.keys()]))
    if (!order.frozen) await freeze(platform, tx, order, words.get(order.id)!);
}

/** Whether the payout was ever said to be paid, or may have been (`SAYS_PAID`). */
export async function isSaidPaid(tx: Tx, orderId: bigint): Promise<boolean> {
  const [event] = await tx.query(sql`
    select 1 from order_events e where e.order_id = ${orderId} and e.id > ${lowestIdAfter(orderId)} and ${SAYS_PAID}`);
  return event !== undefined;
}

/**
 * Writes a contradiction to the history of a locked payout and notifies the admins, once however often it is reported. The status stays. A
 * payout that may have been paid is frozen if it could be paid again or refunded now; two people unfreeze it.
 */
export async function notifyContradiction(
  platform: Platform,
  tx: Tx,
  order: PayoutOrder,
  { said, attempt, reason, utr = null, messageId }: Contradiction,
): Promise<void> {
  const which =
    messageId !== undefined
      ? { said, messageId: String(messageId) }
      : { said, attempt, ...(said === 'debited' && { utr }) };
  // Each time that the gateway changes its mind, the reversal that waits for an unfreezing is called off by a word of its own.
  const callsOff = said === 'processed' && (await withHeldReversal(tx, [order.id])).length > 0;
  if (!callsOff && (await isWritten(tx, order.id, which))) return;
  await write(platform, tx, order, { ...which, attempt, ...(utr !== null && { utr }) }, reason);
  if (said !== 'failed' && NEXT_UNASKED.has(order.status) && !order.frozen)
    await freeze(platform, tx, order, said);
  const to = { roles: ADMINS };
  if (said === 'failed')
    await notify(platform, tx, to, 'gatewaySaysFailed', { order: String(order.id), reason: reason ?? '–' });
  else if (said === 'debited')
    await notify(platform, tx, to, 'endedPayoutDebited', { order: String(order.id), utr: utr ?? '–' });
  else await notify(platform, tx, to, 'gatewaySaysPaid', { order: String(order.id) });
}

async function freeze(platform: Platform, tx: Tx, order: PayoutOrder, said: string): Promise<void> {
  const { id, legalHold } = order;
  await tx.query(sql`update payout_orders set frozen = true where id = ${id}`);
  await audit(platform, tx, {
    userId: null,
    action: 'hold.freeze',
    subject: `order:${id}`,
    before: { frozen: false, legalHold },
    after: { frozen: true, legalHold },
    reason: said,
    ip: null,
  });
  await writeEvents(platform, tx, [
    { orderId: id, kind: 'frozen', from: null, to: null, actor: SYSTEM, data: { said } },
  ]);
}

/**
 * A gateway accepted an attempt of a payout that has ended unpaid, waits to be begun anew, was begun anew, or was claimed by a supplier
 * since: the payee may be paid twice, or paid and refunded.
 */
export async function notifyTakenAfterEnd(
  platform: Platform,
  tx: Tx,
  order: PayoutOrder,
  attempt: number,
): Promise<void> {
  const { status, supplierId } = order;
  const isOver = attempt !== order.attempt || supplierId !== null || status === waiting || UNPAID.has(status);
  if (!isOver) return;
  await notifyContradiction(platform, tx, order, { said: 'accepted', attempt });
}

/**
 * A gateway says that it paid by an attempt. Notifies the admins when the attempt is not the payout's present one (unless the payout was
 * completed by this very payment, which a chain finds by either), when the payout has ended unpaid or its reversal waits, or when a person
 * confirmed it by another reference or the gateway paid another amount: the payee may be paid twice, too little, or paid and refunded.
 * Returns whether it did.
 */
export function notifyPaidElsewhere(
  platform: Platform,
  { id, attempt }: Pick<PayoutOrder, 'id' | 'attempt'>,
  {
    isPresent,
    utr,
    amount,
  }: { readonly isPresent: boolean; readonly utr: string | null; readonly amount?: bigint | undefined },
): Promise<boolean> {
  return platform.db.tx(async (tx) => {
    const [order] = await lockPayouts(tx, [id]);
    if (!order) return false;
    const isKnown = isPresent
      ? !(await contradicts(tx, order, { utr, amount }))
      : order.supplierId === null && isPaidBy(order, utr);
    if (isKnown) return false;
    await notifyContradiction(platform, tx, order, { said: 'processed', attempt, utr });
    return true;
  });
}

/** A gateway that takes nothing back calls an attempt failed. Notifies the admins if this attempt has completed the payout. */
export function notifyFailedAfterAll(
  platform: Platform,
  { id, attempt }: Pick<PayoutOrder, 'id' | 'attempt'>,
  reason: string,
): Promise<void> {
  return platform.db.tx(async (tx) => {
    const [order] = await lockPayouts(tx, [id]);
    if (order?.status !== completed || order.supplierId !== null || order.attempt !== attempt) return;
    await notifyContradiction(platform, tx, order, { said: 'failed', attempt, reason });
  });
}

function isPaidBy(order: PayoutOrder, utr: string | null): boolean {
  return order.status === completed && utr !== null && normaliseReference(utr) === order.utr;
}

async function contradicts(
  tx: Tx,
  order: PayoutOrder,
  { utr, amount = order.amount }: { readonly utr: string | null; readonly amount?: bigint | undefined },
): Promise<boolean> {
  const isOther =
    order.status === completed && (amount !== order.amount || (utr !== null && !isPaidBy(order, utr)));
  // A reversal that waits is not done then: if the gateway takes the payout back again, it is another one.
  if (order.status === completed && (await withHeldReversal(tx, [order.id])).length > 0) return true;
  if (!isOther && !UNPAID.has(order.status)) return false;
  // The gateway itself took the payout back, and now says that it paid it again. When a person reversed what the gateway's status
  // completed, the gateway only repeats what it said before.
  if (order.reversedAt !== null && (await saysGateway(tx, order.id, 'reversed'))) return true;
  return !(await isCompletedByGateway(tx, order.id));
}

/**
 * Those of the payouts, some of them maybe reversed since, that were taken back while they or their merchants were frozen, and that their
 * gateway has not called paid since.
 */
export async function withHeldReversal(
  db: Queryable,
  orderIds: readonly bigint[],
): Promise<{ readonly orderId: bigint; readonly reason: string | null }[]> {
  if (orderIds.length === 0) return [];
  const oldest = orderIds.reduce((least, id) => (id < least ? id : least));
  return db.query(sql`
    select h.order_id as "orderId", h.reason from order_events h
    where h.order_id = any(${orderIds}) and h.id > ${lowestIdAfter(oldest)} and h.kind = 'reversalHeld'
      -- Both are written under the payout's lock. Ids of two nodes may be in the wrong order for minutes, transactions are not. But a
      -- restored database may count its transactions anew.
      and not exists (select from order_events e where e.order_id = h.order_id and e.kind = 'contradicted' and e.data->>'said' = 'processed'
        and (e.id > h.id + ${ID_SLACK} or e.id > h.id - ${ID_SLACK} and e.tx_id > h.tx_id))`);
}
