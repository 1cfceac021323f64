import { COLLECTION_STATUS } from '@sangam/contract/orders.ts';
import { type Queryable, type Sql, type Tx, hot, sql } from '../platform/db/database.ts';
import { ORDER_COLUMNS, type CollectionOrder } from './order.ts';
import {
  AMOUNT_COOLS,
  PAYMENTS_REMEMBERED,
  SECOND_WORDING,
  WAITING_COLUMNS,
  type AccountAmounts,
  type TakenAmounts,
  type WaitingOrder,
} from './waiting.ts';
import { columnNames, unnestRows } from '../platform/db/unnest-rows.ts';

/*
 * Lock order of every command: waiting rows first, then order rows, each in id order; ledger accounts and account load last. So
 * two commands on the same order wait for each other instead of deadlocking.
 */

/** Statuses in which an order may have a waiting row. */
const WAITS: ReadonlySet<number> = new Set([COLLECTION_STATUS.allocated, COLLECTION_STATUS.timedOut]);

function lockWaiting(tx: Tx, orderIds: readonly bigint[]): Promise<WaitingOrder[]> {
  return tx.query<WaitingOrder>(
    hot(
      'lock waiting',
      sql`
    select ${WAITING_COLUMNS} from waiting_orders w where w.order_id = any(${orderIds}) order by w.order_id for update`,
    ),
  );
}

function lockOrders(tx: Tx, orderIds: readonly bigint[]): Promise<CollectionOrder[]> {
  return tx.query<CollectionOrder>(
    hot(
      'lock orders',
      sql`
    select ${ORDER_COLUMNS} from collection_orders o where o.id = any(${orderIds}) order by o.id for update`,
    ),
  );
}

/**
 * Locks orders and their waiting rows. While this call waits for the lock, a reselect may replace the waiting row it asked for.
 * So a missing row is looked up again under the order's lock.
 */
export async function lockWithWaiting(
  tx: Tx,
  orderIds: readonly bigint[],
): Promise<{ readonly orders: readonly CollectionOrder[]; readonly waiting: readonly WaitingOrder[] }> {
  const [first, orders] = await Promise.all([lockWaiting(tx, orderIds), lockOrders(tx, orderIds)]);
  const found = new Set(first.map((row) => row.orderId));
  const missing = orders.filter(({ id, status }) => WAITS.has(status) && !found.has(id)).map(({ id }) => id);
  return { orders, waiting: missing.length === 0 ? first : [...first, ...(await lockWaiting(tx, missing))] };
}

/** The same for one order. */
export async function lockOrder(
  tx: Tx,
  orderId: bigint,
): Promise<{ readonly order: CollectionOrder; readonly waiting: WaitingOrder | null } | undefined> {
  const {
    orders: [order],
    waiting: [waiting],
  } = await lockWithWaiting(tx, [orderId]);
  return order && { order, waiting: waiting ?? null };
}

export function readOrders(db: Queryable, orderIds: readonly bigint[]): Promise<CollectionOrder[]> {
  return db.query<CollectionOrder>(
    hot(
      'read orders',
      sql`
    select ${ORDER_COLUMNS} from collection_orders o where o.id = any(${orderIds})`,
    ),
  );
}

export interface AmountSpan {
  readonly accountId: bigint;
  readonly low: bigint;
  readonly high: bigint;
}

/** Payable amounts within the given spans that orders wait for, or that cool or rest after orders other than the given ones. */
export async function takenAmounts(
  tx: Tx,
  spans: readonly AmountSpan[],
  orderIds: readonly bigint[],
  at: Date,
): Promise<TakenAmounts> {
  // One short index range for each span. A single range over all spans would read most of the waiting orders.
  const rows = await tx.query<{ accountId: bigint; payable: bigint; rests: boolean }>(
    hot(
      'taken amounts',
      sql`
    select w.account_id as "accountId", w.payable, w.rests
    from ${unnestRows({ accountId: 'bigint', low: 'bigint', high: 'bigint' }, spans)}
    cross join lateral (
      (select account_id, payable, false as rests from waiting_orders
      where account_id = v.account_id and payable between v.low and v.high order by account_id, payable)
      union all
      select account_id, payable, until <= ${at} from cooling_amounts
      where account_id = v.account_id and payable between v.low and v.high and order_id <> all(${orderIds})
        and (until > ${at} or stated_at > ${after(at, -SECOND_WORDING)})
    ) w`,
    ),
  );
  const taken: TakenAmounts = new Map();
  for (const { accountId, payable, rests } of rows) {
    const amounts: AccountAmounts = taken.get(accountId) ?? new Map();
    // An order may wait for an amount that also rests: 'taken' wins.
    if (amounts.get(payable) !== 'taken') amounts.set(payable, rests ? 'resting' : 'taken');
    taken.set(accountId, amounts);
  }
  return taken;
}

const WAITING = {
  orderId: 'bigint',
  merchantId: 'bigint',
  productId: 'int',
  accountId: 'bigint',
  supplierId: 'bigint',
  currency: 'text',
  amount: 'bigint',
  payable: 'bigint',
  identifyCode: 'text',
  payerUtr: 'text',
  userName: 'text',
  day: 'date',
  allocatedAt: 'timestamptz',
  expiresAt: 'timestamptz',
  releaseAt: 'timestamptz',
  held: 'bigint',
  slot: 'bigint',
} as const;

/** Writes waiting orders. The transaction runs again where another order waits for one of the amounts on its account. */
export function insertWaiting(tx: Tx, rows: readonly WaitingOrder[]): void {
  if (rows.length === 0) return;
  tx.send(
    hot(
      'insert waiting',
      sql`
    with placed as (
    insert into waiting_orders (${columnNames(WAITING)})
    select * from ${unnestRows(WAITING, rows)}
    on conflict on constraint one_order_per_payable do nothing returning order_id
    )
    select assert_or_retry(count(*) = ${rows.length}) from placed`,
    ),
  );
}

/** SQL: an amount that is remembered already keeps the times of its earlier payments. */
const ON_KNOWN_AMOUNT = sql`on conflict (account_id, payable) do update set order_id = excluded.order_id,
  until = greatest(c.until, excluded.until), remembered_until = excluded.remembered_until, bare_at = coalesce(excluded.bare_at, c.bare_at),
  stated_at = coalesce(excluded.stated_at, c.stated_at), unpaid_at = coalesce(excluded.unpaid_at, c.unpaid_at)`;

/**
 * SQL: such an amount also keeps the orders of `PAYMENTS_REMEMBERED` that may await their message. An order that is being completed just now
 * may still be unpaid in this statement's eyes.
 */
const andAwaited = (at: Date) => sql`, awaiting_ids = excluded.awaiting_ids || array(
    select o.id from collection_orders o where o.id = any(c.awaiting_ids) and coalesce(o.paid_at > ${after(at, -PAYMENTS_REMEMBERED)}, true))`;

/**
 * Paid orders cease to wait. Their payable amounts and the received amounts cool and are remembered (`SECOND_WORDING`,
 * `PAYMENTS_REMEMBERED`). `stated`: the evidence has a reference. `isTold`: the evidence is the bank's message; a payable amount
 * that differs from the received one then counts as unpaid.
 */
export function releasePaid(
  tx: Tx,
  paid: readonly {
    readonly orderId: bigint;
    readonly received: bigint;
    readonly stated: boolean;
    readonly isTold: boolean;
  }[],
  at: Date,
): void {
  if (paid.length === 0) return;
  const ids = paid.map(({ orderId }) => orderId);
  tx.send(
    hot(
      'release paid',
      sql`
    with gone as (
      delete from waiting_orders w using ${unnestRows({ orderId: 'bigint', received: 'bigint', stated: 'boolean', isTold: 'boolean' }, paid)}
      where w.order_id = v.order_id and w.order_id = any(${ids})
      returning w.account_id, w.payable, w.slot, w.order_id, v.received, v.stated,
        case when w.payable = v.received or not v.is_told then v.stated end as payable_stated
    ), rests as (
      select distinct on (account_id, amount) * from (
        select account_id, payable as amount, order_id, payable_stated as stated from gone where slot = 0
        union all select account_id, received, order_id, stated from gone where slot = 0 and received <> payable
      ) each order by account_id, amount, stated
    )
    insert into cooling_amounts as c (account_id, payable, order_id, until, remembered_until, bare_at, stated_at, unpaid_at)
    select account_id, amount, order_id, ${untilOf(sql`stated`, at)},
      ${after(at, PAYMENTS_REMEMBERED)}, case when stated is false then ${at}::timestamptz end, case when stated then ${at}::timestamptz end,
      case when stated is null then ${at}::timestamptz end
    from rests
    ${ON_KNOWN_AMOUNT}`,
    ),
  );
}

/** Unpaid orders cease to wait. */
export function releaseUnpaid(tx: Tx, orderIds: readonly bigint[], at: Date): void {
  if (orderIds.length === 0) return;
  tx.send(sql`
    with gone as (
      delete from waiting_orders where order_id = any(${orderIds}) returning account_id, payable, slot, order_id
    ) ${coolAmounts(at)}`);
}

/**
 * Remembers sums received for orders that no longer waited, sums of orders that an operator completed without a message, and sums of
 * messages that were joined to such orders afterwards. A message to come is expected for `PAYMENTS_REMEMBERED` and pays no other order. Called
 * after `releasePaid`.
 */
export function rememberPaid(
  tx: Tx,
  paid: readonly {
    readonly orderId: bigint;
    readonly accountId: bigint;
    readonly received: bigint;
    readonly stated: boolean;
    readonly awaitsMessage: boolean;
  }[],
  at: Date,
): void {
  if (paid.length === 0) return;
  const rows = unnestRows(
    {
      orderId: 'bigint',
      accountId: 'bigint',
      received: 'bigint',
      stated: 'boolean',
      awaitsMessage: 'boolean',
    },
    paid,
  );
  tx.send(sql`
    insert into cooling_amounts as c (account_id, payable, order_id, until, remembered_until, bare_at, stated_at, awaiting_ids)
    select account_id, received, max(order_id), ${untilOf(sql`bool_and(stated)`, at)}, ${after(at, PAYMENTS_REMEMBERED)},
      case when bool_or(not stated) then ${at}::timestamptz end, case when bool_or(stated) then ${at}::timestamptz end,
      coalesce(array_agg(order_id) filter (where awaits_message), '{}')
    from ${rows} group by account_id, received
    ${ON_KNOWN_AMOUNT}${andAwaited(at)}`);
}

/** Amounts of the deleted, unpaid rows `gone` cool from `at` on. Where payers name their order (slot not 0) no amount has to cool. */
export const coolAmounts = (at: Date) => sql`
  insert into cooling_amounts as c (account_id, payable, order_id, until, remembered_until, unpaid_at)
  select account_id, payable, order_id, ${after(at, AMOUNT_COOLS)}::timestamptz, ${after(at, PAYMENTS_REMEMBERED)}, ${at}::timestamptz
  from gone where slot = 0
  ${ON_KNOWN_AMOUNT}`;

/** SQL: until when an amount cools. It cools longer after a payment without a reference. */
const untilOf = (stated: Sql, at: Date) =>
  sql`case when ${stated} is false then ${after(at, SECOND_WORDING)}::timestamptz else ${after(at, AMOUNT_COOLS)} end`;

const after = (at: Date, ms: number) => new Date(at.getTime() + ms);

export type OrderRow = Pick<
  CollectionOrder,
  | 'id'
  | 'merchantId'
  | 'mchOrderNo'
  | 'productId'
  | 'currency'
  | 'amount'
  | 'payable'
  | 'status'
  | 'supplierId'
  | 'accountId'
  | 'identifyCode'
  | 'clientIp'
  | 'userName'
  | 'notifyUrl'
  | 'returnUrl'
  | 'subject'
  | 'body'
  | 'param1'
  | 'param2'
  | 'merchantRatePpm'
  | 'merchantFixedFee'
  | 'allocatedAt'
  | 'expiresAt'
  | 'createdAt'
>;

/** The order of a row that was just inserted, without reading it: the read cost more than the write. */
export function orderOf(row: OrderRow): CollectionOrder {
  return {
    ...row,
    received: null,
    supplementStatus: 0,
    mark: 0,
    payerUtr: null,
    utr: null,
    fee: null,
    supplierCommission: null,
    agentCommission: null,
    paidAt: null,
    reversedAt: null,
    frozen: false,
    legalHold: false,
  };
}

const ORDER = {
  id: 'bigint',
  merchantId: 'bigint',
  mchOrderNo: 'text',
  productId: 'int',
  currency: 'text',
  amount: 'bigint',
  payable: 'bigint',
  status: 'smallint',
  supplierId: 'bigint',
  accountId: 'bigint',
  identifyCode: 'text',
  clientIp: 'text',
  userName: 'text',
  notifyUrl: 'text',
  returnUrl: 'text',
  subject: 'text',
  body: 'text',
  param1: 'text',
  param2: 'text',
  merchantRatePpm: 'int',
  merchantFixedFee: 'bigint',
  allocatedAt: 'timestamptz',
  expiresAt: 'timestamptz',
  createdAt: 'timestamptz',
} as const;

export function insertOrders(tx: Tx, rows: readonly OrderRow[]): void {
  if (rows.length === 0) return;
  tx.send(
    hot(
      'insert orders',
      sql`
    insert into collection_orders (${columnNames(ORDER)})
    select * from ${unnestRows(ORDER, rows)}`,
    ),
  );
}
