import { PAYOUT_STATUS, type PayoutStatus } from '@sangam/contract/payouts.ts';
import { type Queryable, type Sql, sql, type Tx } from '../platform/db/database.ts';
import type { Actor, OrderEvent } from '../history/events.ts';
import type { Step } from '../history/transition.ts';
import { joinMessage } from '../evidence/matching/join.ts';
import type { Platform } from '../platform/platform.ts';
import { PAYOUT_COLUMNS, type PayoutOrder } from './order.ts';
import { HELD_BY_NOBODY, lockPayouts, lockSome } from './store.ts';
import { LET_GO, transition } from './transition.ts';
import { countTaken, putBack, type SupplierDays } from './supplier-days.ts';

/** What a batch does with payouts; all of it in the batch's transaction, on rows locked here. */

/** SQL: the payout (alias `o`) waits, is nobody's and under no freeze. */
const FREE: Sql = sql`o.status = ${PAYOUT_STATUS.waiting} and o.locked_by is null and o.supplier_id is null
  and ${HELD_BY_NOBODY}`;

/** Locks the oldest waiting payouts (alias `o`) that fit; what another batch is just taking is passed over. */
export function lockWaiting(tx: Tx, condition: Sql, limit: number): Promise<PayoutOrder[]> {
  return lockSome(tx, sql`${FREE} ${condition}`, limit);
}

/** The same payouts, only looked at. */
export function waitingPayouts(db: Queryable, condition: Sql, limit: number): Promise<PayoutOrder[]> {
  return db.query<PayoutOrder>(sql`
    select ${PAYOUT_COLUMNS} from payout_orders o where ${FREE} ${condition} order by o.id limit ${limit}`);
}

/** How many payouts wait that fit, and their sum in minor units. */
export async function countWaiting(db: Queryable, condition: Sql): Promise<{ count: number; sum: bigint }> {
  const [row] = await db.query<{ count: number; sum: bigint }>(sql`
    select count(*)::int as count, coalesce(sum(o.amount), 0)::bigint as sum from payout_orders o where ${FREE} ${condition}`);
  return row!;
}

/** Locks payouts of a batch, in id order. */
export function lockOfBatch(tx: Tx, orderIds: readonly bigint[]): Promise<PayoutOrder[]> {
  return lockPayouts(tx, orderIds);
}

/** Whose account pays, and the process that holds the payouts from now on. */
export interface BatchHolder {
  readonly lock: string;
  readonly supplierId: bigint;
  readonly accountId: bigint;
  /** The supplier's limits, with these payouts fitted in. */
  readonly days: SupplierDays;
}

/** Waiting payouts go into a batch: prepared, and hands off for everybody else. */
export async function takeIntoBatch(
  platform: Platform,
  tx: Tx,
  orders: readonly PayoutOrder[],
  holder: BatchHolder,
  event: BatchEvent,
): Promise<void> {
  await transition(platform, tx, stepsOf(orders, PAYOUT_STATUS.preparing, 'batched', event), {
    supplier_id: holder.supplierId,
    account_id: holder.accountId,
    locked_by: holder.lock,
    locked_at: platform.clock.now(),
  });
  await countTaken(tx, holder.days, orders);
}

export interface BatchEvent {
  readonly actor: Actor;
  readonly reason?: string | undefined;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The file is at the bank: submitted, and the batch's lock. */
export async function submitBatch(
  platform: Platform,
  tx: Tx,
  orders: readonly PayoutOrder[],
  lock: string,
  event: BatchEvent,
): Promise<void> {
  const at = platform.clock.now();
  await transition(platform, tx, stepsOf(orders, PAYOUT_STATUS.submitted, 'submitted', event), {
    submitted_at: at,
    locked_by: lock,
  });
  await tx.query(sql`
    update payout_orders set locked_at = ${at}
    where id = any(${orders.map(({ id }) => id)}) and locked_at is null`);
}

/** The bank is paying it, under a number of its own where it names one: its debit will be known by that. */
export async function acceptOfBatch(
  platform: Platform,
  tx: Tx,
  order: PayoutOrder,
  bankReference: string | null,
  event: BatchEvent,
): Promise<void> {
  const { inProgress, submitted } = PAYOUT_STATUS;
  // From 'to be confirmed' only a final word leads on.
  const status = order.status === submitted ? inProgress : order.status;
  const reference = bankReference ?? order.gatewayRef;
  if (status !== order.status) {
    await transition(platform, tx, stepsOf([order], status, 'accepted', event), { gateway_ref: reference });
  } else if (reference !== order.gatewayRef) {
    await tx.query(sql`update payout_orders set gateway_ref = ${reference} where id = ${order.id}`);
  }
}

/** The bank says it has not paid. */
export async function failOfBatch(
  platform: Platform,
  tx: Tx,
  order: PayoutOrder,
  event: BatchEvent,
): Promise<void> {
  await transition(platform, tx, stepsOf([order], PAYOUT_STATUS.processingError, 'failed', event), LET_GO);
}

/** No word is expected any more: each waits to be confirmed by itself, and is nobody's lock. */
export async function releaseOfBatch(
  platform: Platform,
  tx: Tx,
  orders: readonly PayoutOrder[],
  event: BatchEvent,
): Promise<void> {
  await transition(platform, tx, stepsOf(orders, PAYOUT_STATUS.toBeConfirmed, 'unanswered', event), LET_GO);
}

/** Out of the batch and waiting for anybody: it was never sent, or has failed. */
export async function returnFromBatch(
  platform: Platform,
  tx: Tx,
  orders: readonly PayoutOrder[],
  event: BatchEvent & { readonly kind: 'unbatched' | 'reselected' },
): Promise<void> {
  const { kind, actor, reason, data } = event;
  await putBack(platform, tx, orders, () => ({
    kind,
    actor,
    ...(reason === undefined ? {} : { reason }),
    data,
  }));
}

function stepsOf(
  orders: readonly PayoutOrder[],
  to: PayoutStatus,
  kind: OrderEvent['kind'],
  { actor, reason, data }: BatchEvent,
): Step<PayoutStatus>[] {
  return orders.map((order) => ({
    orderId: order.id,
    kind,
    from: order.status,
    to,
    actor,
    ...(reason === undefined ? {} : { reason }),
    data,
  }));
}

/** Joins those of the payouts that were completed. */
export async function joinDebits(
  platform: Platform,
  tx: Tx,
  paid: readonly PayoutOrder[],
  debits: ReadonlyMap<bigint, { readonly id: bigint }>,
): Promise<void> {
  for (const { id } of paid) {
    const debit = debits.get(id);
    if (debit) await joinMessage(platform, tx, debit.id, id, 'payoutUtr');
  }
}
