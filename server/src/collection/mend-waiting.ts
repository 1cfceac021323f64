import { COLLECTION_STATUS } from '@sangam/contract/orders.ts';
import { businessDay } from '@sangam/contract/time.ts';
import { type Tx, sql } from '../platform/db/database.ts';
import type { Mend } from '../platform/mend.ts';
import type { Platform } from '../platform/platform.ts';
import { recountTerms } from '../terms/products/terms-day.ts';
import { SYSTEM } from '../history/events.ts';
import type { CollectionOrder } from './order.ts';
import { insertWaiting, lockWithWaiting, releaseUnpaid } from './store.ts';
import { transition } from './transition.ts';
import { releaseTime, termsCountsOf, type WaitingOrder } from './waiting.ts';

const { allocated, timedOut } = COLLECTION_STATUS;

/**
 * Makes the waiting rows agree with the orders: an allocated order waits, a timed-out one waits for the end of its grace, any
 * other does not wait. Answers what it did. Run `mendLoads` and `mendHolds` after it: they mend loads and deposits.
 */
export async function mendWaiting(platform: Platform, tx: Tx, at: Date): Promise<Mend[]> {
  const suspects = await tx.query<{ id: bigint }>(sql`
    select coalesce(o.id, w.order_id) as id
    from (select id, status, account_id, payable, supplier_id, identify_code from collection_orders where stage = ${allocated}
      union select o.id, o.status, o.account_id, o.payable, o.supplier_id, o.identify_code
        from collection_orders o join waiting_orders w on w.order_id = o.id) o
    full join waiting_orders w on w.order_id = o.id
    where (o.status = ${allocated} and not w.timed_out or o.status = ${timedOut} and w.timed_out) is not true
      or o.account_id is distinct from w.account_id or o.payable is distinct from w.payable
      or o.supplier_id is distinct from w.supplier_id or o.identify_code is distinct from w.identify_code
    order by 1`);
  if (suspects.length === 0) return [];
  const ids = suspects.map(({ id }) => id);
  const { orders, waiting } = await lockWithWaiting(tx, ids);
  const orderOf = new Map(orders.map((order) => [order.id, order]));
  const waitingOf = new Map(waiting.map((row) => [row.orderId, row]));
  const mends: Mend[] = [];
  for (const id of ids) {
    const mend = await mendOne(platform, tx, orderOf.get(id), waitingOf.get(id), at);
    if (mend) mends.push({ subject: `order:${id}`, ...mend });
  }
  return mends;
}

async function mendOne(
  platform: Platform,
  tx: Tx,
  order: CollectionOrder | undefined,
  row: WaitingOrder | undefined,
  at: Date,
): Promise<Omit<Mend, 'subject'> | undefined> {
  const shouldWait = order?.status === allocated || (order?.status === timedOut && row !== undefined);
  if (!shouldWait) return row && dropRow(tx, order, row, at);
  const wanted = await rowOf(platform, tx, order, row);
  if (row && isSame(row, wanted)) return undefined;
  const place = (each: WaitingOrder) => ({
    status: order.status,
    accountId: String(each.accountId),
    payable: String(each.payable),
    timedOut: each.timedOut,
  });
  const before = row ? place(row) : { status: order.status };
  const kind = row ? 'waitingDiffers' : 'orderWithoutWaiting';
  if (row) await tx.query(sql`delete from waiting_orders where order_id = ${order.id}`);
  if (await isTaken(tx, wanted)) {
    // Another order waits for this amount on this account. A payment goes to that one; an operator decides about this one.
    await timeOutWithout(platform, tx, order, wanted, at);
    return { kind, before, after: { status: timedOut } };
  }
  insertWaiting(tx, [wanted]);
  if (wanted.timedOut)
    await tx.query(sql`update waiting_orders set timed_out = true where order_id = ${order.id}`);
  return { kind, before, after: place(wanted) };
}

async function dropRow(
  tx: Tx,
  order: CollectionOrder | undefined,
  row: WaitingOrder,
  at: Date,
): Promise<Omit<Mend, 'subject'>> {
  releaseUnpaid(tx, [row.orderId], at);
  return {
    kind: 'waitingWithoutOrder',
    before: {
      status: order?.status ?? null,
      accountId: String(row.accountId),
      payable: String(row.payable),
    },
    after: { status: order?.status ?? null },
  };
}

async function timeOutWithout(
  platform: Platform,
  tx: Tx,
  order: CollectionOrder,
  row: WaitingOrder,
  at: Date,
): Promise<void> {
  if (order.status !== allocated) return;
  recountTerms(tx, termsCountsOf(row, -1));
  await transition(platform, tx, [
    { orderId: order.id, kind: 'timedOut', from: allocated, to: timedOut, actor: SYSTEM, at },
  ]);
}

const isSame = (a: WaitingOrder, b: WaitingOrder) =>
  a.accountId === b.accountId &&
  a.payable === b.payable &&
  a.supplierId === b.supplierId &&
  a.identifyCode === b.identifyCode &&
  a.timedOut === b.timedOut;

/** The row that an order must have. What only the row knows is kept from the present one. */
async function rowOf(
  platform: Platform,
  tx: Tx,
  order: CollectionOrder,
  row: WaitingOrder | undefined,
): Promise<WaitingOrder> {
  const { CompleteCheckOrderTime } = await platform.settings.all();
  const allocatedAt = order.allocatedAt!;
  const expiresAt = order.expiresAt!;
  return {
    orderId: order.id,
    merchantId: order.merchantId,
    productId: order.productId,
    accountId: order.accountId!,
    supplierId: order.supplierId!,
    currency: order.currency,
    amount: order.amount,
    payable: order.payable!,
    slot: row?.slot ?? (await slotOf(tx, order)),
    identifyCode: order.identifyCode,
    payerUtr: order.payerUtr,
    userName: order.userName,
    day: row?.day ?? businessDay(allocatedAt),
    allocatedAt,
    expiresAt,
    releaseAt: row?.releaseAt ?? releaseTime({ expiresAt, currency: order.currency }, CompleteCheckOrderTime),
    timedOut: order.status === timedOut,
    held: row?.held ?? 0n,
  };
}

/** Where payers name their order (gateways, paybills), the order's id is the slot. */
async function slotOf(tx: Tx, { id, accountId, productId }: CollectionOrder): Promise<bigint> {
  const [named] = await tx.query(sql`
    select 1 from accounts a join products p on p.id = ${productId}
    where a.id = ${accountId} and (p.channel = 'gateway' or a.mpesa_type = 'paybill')`);
  return named ? id : 0n;
}

async function isTaken(tx: Tx, { orderId, accountId, payable, slot }: WaitingOrder): Promise<boolean> {
  const taken = await tx.query(sql`
    select 1 from waiting_orders where account_id = ${accountId} and payable = ${payable} and slot = ${slot}
      and order_id <> ${orderId}`);
  return taken.length > 0;
}
