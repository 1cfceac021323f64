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

/** What a batch does with its payouts: in the transaction of the batch, on payouts that are locked by functions of this file. */

/** SQL: the payout (alias `o`) waits; no supplier or process has it, and neither it nor its merchant is frozen. */
const FREE: Sql = sql`o.status = ${PAYOUT_STATUS.waiting} and o.locked_by is null and o.supplier_id is null
  and ${HELD_BY_NOBODY}`;

/**
 * Locks the oldest waiting payouts (alias `o`) that fit `condition`, which begins with 'and'. Passes over those another batch is taking.
 */
export function lockWaiting(tx: Tx, condition: Sql, limit: number): Promise<PayoutOrder[]> {
  return lockSome(tx, sql`${FREE} ${condition}`, limit);
}

/** The same payouts without locks. */
export function waitingPayouts(db: Queryable, condition: Sql, limit: number): Promise<PayoutOrder[]> {
  return db.query<PayoutOrder>(sql`
    select ${PAYOUT_COLUMNS} from payout_orders o where ${FREE} ${condition} order by o.id limit ${limit}`);
}

/** Count and sum (minor units) of the waiting payouts that fit. */
export async function countWaiting(db: Queryable, condition: Sql): Promise<{ count: number; sum: bigint }> {
  const [row] = await db.query<{ count: number; sum: bigint }>(sql`
    select count(*)::int as count, coalesce(sum(o.amount), 0)::bigint as sum from payout_orders o where ${FREE} ${condition}`);
  return row!;
}

/** Locks payouts of a batch, in id order. */
export function lockOfBatch(tx: Tx, orderIds: readonly bigint[]): Promise<PayoutOrder[]> {
  return lockPayouts(tx, orderIds);
}

/** The account that pays and its supplier, and the name of the lock on the payouts from now on. */
export interface BatchHolder {
  readonly lock: string;
  readonly supplierId: bigint;
  readonly accountId: bigint;
  /** The supplier's daily limits, in which these payouts already count. */
  readonly days: SupplierDays;
}

/** Takes waiting payouts into a batch: they are 'preparing', and locked for everybody else. */
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

/** The file is at the bank: its payouts are 'submitted', and stay locked by the batch. */
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

/** The bank is paying the payout. Where the bank names its reference of the transfer, the debit is found by it later. */
export async function acceptOfBatch(
  platform: Platform,
  tx: Tx,
  order: PayoutOrder,
  bankReference: string | null,
  event: BatchEvent,
): Promise<void> {
  const { inProgress, submitted } = PAYOUT_STATUS;
  // 'Accepted' is not final: it does not move a payout out of 'to be confirmed'.
  const status = order.status === submitted ? inProgress : order.status;
  const reference = bankReference ?? order.gatewayRef;
  if (status !== order.status) {
    await transition(platform, tx, stepsOf([order], status, 'accepted', event), { gateway_ref: reference });
  } else if (reference !== order.gatewayRef) {
    await tx.query(sql`update payout_orders set gateway_ref = ${reference} where id = ${order.id}`);
  }
}

/** The bank says that it has not paid: 'processing error'. */
export async function failOfBatch(
  platform: Platform,
  tx: Tx,
  order: PayoutOrder,
  event: BatchEvent,
): Promise<void> {
  await transition(platform, tx, stepsOf([order], PAYOUT_STATUS.processingError, 'failed', event), LET_GO);
}

/** No answer of the bank is expected any more: each payout goes to 'to be confirmed', unlocked. */
export async function releaseOfBatch(
  platform: Platform,
  tx: Tx,
  orders: readonly PayoutOrder[],
  event: BatchEvent,
): Promise<void> {
  await transition(platform, tx, stepsOf(orders, PAYOUT_STATUS.toBeConfirmed, 'unanswered', event), LET_GO);
}

/** Takes payouts out of the batch: they wait for anybody. They were never sent, or have failed. */
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

/** Joins the debits to the payouts that were completed. */
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
