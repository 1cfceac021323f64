import { namesOf } from '@sangam/contract/references.ts';
import { type Queryable, type Sql, type Tx, empty, hot, sql } from '../platform/db/database.ts';
import { SECOND } from '../platform/clock.ts';
import { SUPPLEMENTED } from '../platform/db/statuses.ts';
import { ID_SLACK, firstIdAt } from '../platform/db/ids.ts';
import type { CollectionOrder } from './order.ts';
import {
  MESSAGE_TO_COME,
  PAYMENTS_REMEMBERED,
  SLACK,
  WAITING_COLUMNS,
  type WaitingOrder,
} from './waiting.ts';
import { unnestRows } from '../platform/db/unnest-rows.ts';

/** What credits on some accounts may name an order by. */
export interface MatchQuery {
  readonly accountIds: readonly bigint[];
  /** Minor units. */
  readonly amounts: readonly bigint[];
  readonly references: readonly string[];
  readonly identifyCodes: readonly string[];
}

/** Locks, in id order, the waiting orders of these accounts that the evidence may mean, and orders of other accounts with these codes. */
export function lockMatchable(tx: Tx, query: MatchQuery): Promise<WaitingOrder[]> {
  const codes = query.identifyCodes;
  return tx.query<WaitingOrder>(sql`
    select ${WAITING_COLUMNS} from waiting_orders w
    where w.account_id = any(${query.accountIds})
      and (w.payable = any(${query.amounts}) or w.amount = any(${query.amounts}) or w.payer_utr = any(${query.references}))
      ${codes.length === 0 ? empty : sql`or w.identify_code = any(${codes})`}
    order by w.order_id for update`);
}

export interface PaidAmount {
  readonly accountId: bigint;
  /** Minor units. */
  readonly amount: bigint;
}

/** An amount whose order ended on an account within `PAYMENTS_REMEMBERED`. */
export interface EndedAmount extends PaidAmount {
  /** When the amount was last paid by evidence without a reference, and when by evidence with one. */
  readonly bareAt: Date | null;
  readonly statedAt: Date | null;
  /** An order of this amount ended unpaid. */
  readonly isUnpaid: boolean;
  /**
   * Orders that operators completed within `PAYMENTS_REMEMBERED`, on this account, with this sum or with this sum as the asked one, and whose
   * messages have not come.
   */
  readonly awaitingIds: readonly bigint[];
  /** When the only such order was allocated: it could be paid from then on. */
  readonly payableSince: Date | null;
  /** The identify code of the only such order. */
  readonly identifyCode: string | null;
  /**
   * The only such order, if it was completed with this very sum within `MESSAGE_TO_COME`: a credit without a reference is its message. Null
   * where another credit of this sum was reported since one day before the order, or where another order of this amount has ended since: the
   * message may belong to that one.
   */
  readonly supplemented: bigint | null;
}

/** SQL: somebody completed the order (table `collection_orders`), and its message has not come. */
export const isUnproven = (
  o: Sql,
) => sql`(${o}.supplement_status = ${SUPPLEMENTED} and ${o}.reversed_at is null
  and not exists (select from message_matches mm where mm.order_id = ${o}.id))`;

/** SQL: the same, and the order was completed on its account. */
export const awaitsMessage = (o: Sql) => sql`(${isUnproven(o)}
  and not exists (select from postings p where p.key = 'collection/' || ${o}.id and p.kind = 'collectionOffset'))`;

/** The given amounts whose order ended on its account within `PAYMENTS_REMEMBERED`. `except`: the messages that are being matched now. */
export function endedAmounts(
  tx: Tx,
  amounts: readonly PaidAmount[],
  except: readonly bigint[],
  at: Date,
): Promise<EndedAmount[]> {
  const since = new Date(at.getTime() - MESSAGE_TO_COME);
  const day = firstIdAt(at) - firstIdAt(since) + ID_SLACK;
  const paidSince = new Date(at.getTime() - PAYMENTS_REMEMBERED);
  const remembered = (moment: Sql) => sql`case when ${moment} > ${paidSince} then ${moment} end`;
  return tx.query(
    hot(
      'ended amounts',
      sql`
    select c.account_id as "accountId", c.payable as amount, ${remembered(sql`c.bare_at`)} as "bareAt", ${remembered(sql`c.stated_at`)} as "statedAt",
      coalesce(c.unpaid_at > ${since}, false) as "isUnpaid",
      coalesce(w.ids, '{}') as "awaitingIds", o.allocated_at as "payableSince", o.identify_code as "identifyCode",
      case when o.id = c.order_id and o.received = c.payable and o.paid_at > ${since} and not exists (select from messages m where m.account_id = c.account_id and m.amount = c.payable
        and m.direction = 'credit' and m.id > o.id - ${day} and m.id <> all(${except})
        and m.state in ('matched', 'unmatched', 'ambiguous', 'held', 'untrusted', 'settledOutside')) then o.id end as supplemented
    from ${unnestRows(
      { accountId: 'bigint', payable: 'bigint' },
      amounts.map((row) => ({ ...row, payable: row.amount })),
    )}
    join cooling_amounts c on c.account_id = v.account_id and c.payable = v.payable
    left join lateral (
      select array_agg(o.id) as ids from unnest(c.awaiting_ids) as awaiting (id) join collection_orders o on o.id = awaiting.id
      where o.paid_at > ${paidSince} and c.payable in (o.received, o.amount) and o.account_id = c.account_id and ${awaitsMessage(sql`o`)}
    ) w on cardinality(c.awaiting_ids) > 0
    left join collection_orders o on cardinality(w.ids) = 1 and o.id = w.ids[1]
    where c.remembered_until > ${at}`,
    ),
  );
}

/** A payment that is further off is meant for something else: five units of a USDT order. */
const NEAR = 5_000_000n;

/** The payable amount nearest to a sum that pays no order exactly, of orders that waited at that moment; undefined where none is near. */
export async function nearestPayable(
  db: Queryable,
  accountId: bigint,
  amount: bigint,
  at: Date,
): Promise<bigint | undefined> {
  const [row] = await db.query<{ payable: bigint }>(sql`
    select payable from waiting_orders
    where account_id = ${accountId} and payable between ${amount - NEAR} and ${amount + NEAR}
      and allocated_at <= ${at} and release_at >= ${at}
    order by abs(payable - ${amount}) limit 1`);
  return row?.payable;
}

/** The order with this code that waits on an account. A timed-out order waits until its grace ends. */
export async function waitingFor(
  db: Queryable,
  accountId: bigint,
  identifyCode: string,
): Promise<WaitingOrder | undefined> {
  const [order] = await db.query<WaitingOrder>(sql`
    select ${WAITING_COLUMNS} from waiting_orders w
    where w.identify_code = ${identifyCode} and w.account_id = ${accountId}`);
  return order;
}

/** Whether another order, on any account, waits with one of these codes. */
export async function isCodeOfOther(
  db: Queryable,
  codes: readonly string[],
  orderId: bigint,
): Promise<boolean> {
  if (codes.length === 0) return false;
  const rows = await db.query(sql`
    select 1 from waiting_orders where identify_code = any(${codes}) and order_id <> ${orderId} limit 1`);
  return rows.length > 0;
}

/**
 * Whether the payer of another unpaid order gave this reference within the last days, or another unpaid order of the account asked exactly
 * this sum when the money of a credit moved. Frees and cancellations do not shorten the time in which an order could be paid.
 */
export async function isOfAnotherPayer(
  db: Queryable,
  { id, accountId }: Pick<CollectionOrder, 'id' | 'accountId'>,
  paid: {
    readonly utr: string;
    readonly credit?: { readonly amount: bigint; readonly movedAt: Date } | undefined;
  },
  { at, graceMinutes }: { readonly at: Date; readonly graceMinutes: number },
): Promise<boolean> {
  const typed = hot(
    'orders of a typed UTR',
    sql`select 1 from collection_orders o where o.stage in (1, 2) and o.payer_utr = any(${namesOf(paid.utr)}) and o.id <> ${id}
    and o.id > ${firstIdAt(new Date(at.getTime() - PAYMENTS_REMEMBERED))}`,
  );
  const [found] = await db.query(typed);
  if (found || !paid.credit) return found !== undefined;
  const { amount, movedAt } = paid.credit;
  const slack = sql`make_interval(secs => ${SLACK / SECOND})`;
  const asked = await db.query(
    hot(
      'orders that ask for a sum',
      sql`
    select 1 from collection_orders o
    where o.account_id = ${accountId} and o.stage in (1, 2) and o.payable = ${amount} and o.id <> ${id}
      and o.id > ${firstIdAt(new Date(movedAt.getTime() - MESSAGE_TO_COME))}
      and ${movedAt} between o.allocated_at - ${slack} and o.expires_at + make_interval(mins => ${graceMinutes}) + ${slack}
    limit 1`,
    ),
  );
  return asked.length > 0;
}

/**
 * The other orders of the account that a stored credit may mean: their payer gave its reference, or they are older and ask for
 * exactly its sum.
 */
export function waitingBeside(
  db: Queryable,
  { orderId, accountId }: Pick<WaitingOrder, 'orderId' | 'accountId'>,
  { id, amount, reference }: { readonly id: bigint; readonly amount: bigint; readonly reference: string },
): Promise<WaitingOrder[]> {
  return db.query<WaitingOrder>(
    hot(
      'waiting of an account',
      sql`
    select ${WAITING_COLUMNS} from waiting_orders w where w.account_id = ${accountId} and w.order_id <> ${orderId}
      and (w.payer_utr = ${reference} or w.payable = ${amount} and w.order_id < ${id})`,
    ),
  );
}

/** A payment as its message names it. */
export interface NamedPayment {
  readonly messageId: bigint;
  /** Minor units. */
  readonly amount: bigint;
  readonly reference: string;
  readonly identifyCodes: readonly string[];
}

/**
 * By message, the merchants whose orders the payment names: an order, of any status, has one of its codes; or the payer of an unpaid order of
 * its sum gave its reference within the last days.
 */
export async function merchantsNamed(
  db: Queryable,
  payments: readonly NamedPayment[],
  at: Date,
): Promise<ReadonlyMap<bigint, readonly bigint[]>> {
  if (payments.length === 0) return new Map();
  const coded = payments.flatMap(({ messageId, identifyCodes }) =>
    identifyCodes.map((code) => ({ messageId, code })),
  );
  const rows = await db.query<{ messageId: bigint; merchantId: bigint }>(
    hot(
      'merchants of a payment',
      sql`
    select v.message_id as "messageId", o.merchant_id as "merchantId"
    from ${unnestRows({ messageId: 'bigint', code: 'text' }, coded)} join collection_orders o on o.identify_code = v.code
    union
    select v.message_id, o.merchant_id
    from ${unnestRows({ messageId: 'bigint', amount: 'bigint', reference: 'text' }, payments)}
    join collection_orders o on o.payer_utr = v.reference and v.amount in (o.payable, o.amount)
    where o.stage in (1, 2) and o.payer_utr is not null and o.id > ${firstIdAt(new Date(at.getTime() - PAYMENTS_REMEMBERED))}`,
    ),
  );
  const named = Map.groupBy(rows, ({ messageId }) => messageId);
  return new Map([...named].map(([id, ofOne]) => [id, ofOne.map(({ merchantId }) => merchantId)]));
}
