import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import type { CheckAnswer, PayoutChannels } from '../channels/payout-channel.ts';
import { DAY, MINUTE, SECOND } from '../platform/clock.ts';
import { type Queryable, type Sql, type Tx, sql } from '../platform/db/database.ts';
import { lowestIdAfter } from '../platform/db/ids.ts';
import { PAYOUT } from '../platform/db/statuses.ts';
import { type OrderEvent, SYSTEM } from '../history/events.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal } from '../platform/refusal.ts';
import { readReference } from '@sangam/contract/references.ts';
import { ASK_ENDED_EVERY, complete } from './complete.ts';
import { notifyClaimContradicted, notifyPaidElsewhere } from './contradicted.ts';
import { attemptOf, sendKey } from './dispatch.ts';
import type { PayoutOrder } from './order.ts';
import { proveByGateway } from './prove.ts';
import { takenBackByGateway } from './reverse.ts';
import { HELD_BY_NOBODY, lockPayouts, lockSome } from './store.ts';
import { LET_GO, transition } from './transition.ts';

const BATCH = 32;
const ASK_EVERY = 15 * SECOND;
/** From its end: a bank may send money back the next day, an instant transfer within two (docs/rails.md#upi). */
const ENDED_ASKED_FOR = 7 * DAY;
/** Submitted or in progress without a final word for so long: to be confirmed. */
const WORD_WINDOW = 30 * MINUTE;

const { inProgress, processingError, submitted, toBeConfirmed } = PAYOUT_STATUS;

/**
 * Asks gateways about payouts they have not finished: submitted, in progress, and those whose outcome is unknown, which
 * are asked about as long as it takes and never sent again. Returns how many were asked about.
 */
export async function askGateways(platform: Platform, channels: PayoutChannels): Promise<number> {
  const isOpen = sql`o.status in (${PAYOUT.inProgress}, ${PAYOUT.toBeConfirmed}, ${PAYOUT.submitted}) and ${HELD_BY_NOBODY}`;
  const orders = await take(platform, channels, isOpen, ASK_EVERY);
  await Promise.all(
    orders.map(async (order) => recordGatewayStatus(platform, order, await ask(platform, channels, order))),
  );
  return orders.length;
}

async function ask(platform: Platform, channels: PayoutChannels, order: PayoutOrder): Promise<CheckAnswer> {
  try {
    const { gatewayRef: reference, accountId, currency } = order;
    const sent = { key: sendKey(order), reference, accountId, currency };
    return await channels.get(order.productId)!.check(sent);
  } catch (error) {
    platform.log.warn({ err: error, orderId: String(order.id) }, 'the gateway does not answer');
    return { state: 'unknown' };
  }
}

/**
 * Asks about payouts that ended within the last week, each every six hours: of one that the gateway completed, whether it has taken it
 * back since (it is reversed); of attempts that were given up (refunded, begun anew, or paid by a supplier), whether the gateway paid by
 * them after all (people are notified). A webhook says so earlier where there is one; this finds what it missed. Frozen ones too: a
 * reversal is held until they are unfrozen. Goes on until none is due; returns how many were asked about.
 */
export async function askAboutEnded(platform: Platform, channels: PayoutChannels): Promise<number> {
  const productIds = [...channels].filter(([, channel]) => !channel.isFinal).map(([productId]) => productId);
  if (productIds.length === 0) return 0;
  for (let asked = 0; ;) {
    const orders = await takeEnded(platform, productIds);
    const attempts = await attemptsOf(platform.db, orders);
    await Promise.all(
      orders.map(async (order) => {
        for (const attempt of attempts.get(order.id) ?? [])
          await askAboutAttempt(platform, channels, order, attempt);
      }),
    );
    asked += orders.length;
    if (orders.length < BATCH) return asked;
  }
}

interface Attempt {
  readonly attempt: number;
  /** The account it was given to; null where its product needs none. */
  readonly accountId: bigint | null;
}

/** The attempts that gateways were given of these orders. */
async function attemptsOf(db: Queryable, orders: readonly PayoutOrder[]): Promise<Map<bigint, Attempt[]>> {
  if (orders.length === 0) return new Map();
  const ids = orders.map(({ id }) => id);
  const oldest = ids.reduce((least, id) => (id < least ? id : least));
  const rows = await db.query<{ orderId: bigint; key: string; accountId: bigint | null }>(sql`
    select order_id as "orderId", data->>'key' as key, (data->>'accountId')::bigint as "accountId" from order_events
    where order_id = any(${ids}) and id > ${lowestIdAfter(oldest)} and kind = 'dispatched' order by id`);
  const attempts = rows.map(({ orderId, key, accountId }) => ({
    orderId,
    accountId,
    attempt: attemptOf(key)!.attempt,
  }));
  return Map.groupBy(attempts, ({ orderId }) => orderId);
}

async function askAboutAttempt(
  platform: Platform,
  channels: PayoutChannels,
  order: PayoutOrder,
  { attempt, accountId }: Attempt,
): Promise<void> {
  // By the gateway's own word as well: the present attempt of a payout that no supplier paid.
  const isPresent = attempt === order.attempt && order.supplierId === null;
  const asked = isPresent ? order : { ...order, attempt, accountId, gatewayRef: null };
  const answer = await ask(platform, channels, asked);
  if (answer.state === 'failed' && isPresent) await takenBackByGateway(platform, order.id, answer.reason);
  if (answer.state !== 'processed') return;
  const proves = isPresent && paysAll(order, answer);
  if (!proves || !(await proveByGateway(platform, order.id, answer.utr)))
    await notifyPaidElsewhere(platform, { id: order.id, attempt }, { isPresent, utr: answer.utr });
}

/** Leases ended payouts that are due, the longest due first, until the next time; after a week there is none. */
function takeEnded(platform: Platform, productIds: readonly number[]): Promise<PayoutOrder[]> {
  return platform.db.tx(async (tx) => {
    const at = platform.clock.now();
    const due = sql`o.ask_again_at <= ${at} and o.product_id = any(${productIds})`;
    const orders = await lockSome(tx, due, BATCH, { first: sql`o.ask_again_at` });
    if (orders.length === 0) return orders;
    const next = new Date(at.getTime() + ASK_ENDED_EVERY);
    await tx.query(sql`
      update payout_orders set asked_at = ${at}, ask_again_at =
        case when finished_at > ${new Date(next.getTime() - ENDED_ASKED_FOR)} then ${next}::timestamptz end
      where id = any(${orders.map((order) => order.id)})`);
    return orders;
  });
}

/**
 * Leases the orders whose turn it is by the time of this question, those asked about longest ago first: what a gateway says
 * nothing of keeps no other from being asked about. One that a supplier has taken on is no gateway's any more.
 */
function take(
  platform: Platform,
  channels: PayoutChannels,
  which: Sql,
  everyMs: number,
): Promise<PayoutOrder[]> {
  const productIds = [...channels.keys()];
  if (productIds.length === 0) return Promise.resolve([]);
  return platform.db.tx(async (tx) => {
    const at = platform.clock.now();
    const due = new Date(at.getTime() - everyMs);
    const orders = await lockSome(
      tx,
      sql`${which} and o.supplier_id is null and o.product_id = any(${productIds})
        and o.attempt > 0 and (o.asked_at is null or o.asked_at <= ${due})`,
      BATCH,
      { first: sql`o.asked_at nulls first, o.id`, name: 'payouts to ask about' },
    );
    if (orders.length === 0) return orders;
    await tx.query(
      sql`update payout_orders set asked_at = ${at} where id = any(${orders.map((order) => order.id)})`,
    );
    return orders;
  });
}

/**
 * Writes down where a payout stands by its gateway's word, asked for or told. Only forward: a payout that has ended, or
 * was begun anew since (`attempt`) or taken on by a supplier, stays as it is. Whether the word was taken.
 */
export async function recordGatewayStatus(
  platform: Platform,
  asked: Pick<PayoutOrder, 'id' | 'attempt'>,
  answer: CheckAnswer,
): Promise<boolean> {
  if (answer.state === 'unknown') return false;
  let taken = false;
  const problem = await platform.db.tx(async (tx) => {
    // Run again when it lost a race: what it took then was undone.
    taken = false;
    const [order] = await lockPayouts(tx, [asked.id]);
    if (!order || !isAskedAbout(order, asked)) return undefined;
    taken = true;
    if (answer.state === 'processed') {
      if (!paysAll(order, answer))
        return waitForPerson(platform, tx, order, `the gateway names another amount: ${answer.amount}`);
      const utr = readReference(answer.utr);
      return complete(platform, tx, { order, utr, unproven: false, actor: SYSTEM, data: { by: 'gateway' } });
    }
    if (answer.state === 'failed') {
      return turn(platform, tx, order, processingError, { kind: 'failed', reason: answer.reason });
    }
    if (answer.state === 'late') return waitForPerson(platform, tx, order, answer.reason);
    // From 'to be confirmed' only a final word leads on.
    return order.status === submitted
      ? turn(platform, tx, order, inProgress, { kind: 'accepted' })
      : undefined;
  });
  if (!isRefusal(problem)) return taken;
  platform.log.error({ orderId: String(asked.id), code: problem.code }, 'gateway payout not completed');
  if (answer.state === 'processed' && answer.utr !== null) await paidByAnothers(platform, asked, answer.utr);
  return false;
}

/** The gateway names a UTR that is another order's: the payout waits to be confirmed, and people are told, once. */
function paidByAnothers(
  platform: Platform,
  asked: Pick<PayoutOrder, 'id' | 'attempt'>,
  utr: string,
): Promise<void> {
  return platform.db.tx(async (tx) => {
    const [order] = await lockPayouts(tx, [asked.id]);
    if (!order || !isAskedAbout(order, asked)) return;
    await waitForPerson(platform, tx, order, 'the gateway names a UTR of another order');
    await notifyClaimContradicted(platform, tx, order, readReference(utr)!);
  });
}

/** Whether a gateway's word about an attempt leads a locked payout on: it is open, and its own. */
function isAskedAbout(order: PayoutOrder, asked: Pick<PayoutOrder, 'attempt'>): boolean {
  const isOpen = [inProgress, toBeConfirmed, submitted].some((status) => status === order.status);
  // A person may have ended it, or begun it anew, while the gateway was asked; or a supplier took it on once the attempt had failed. A
  // frozen order, or one of a frozen merchant, stays where it is; it is asked about again.
  return isOpen && order.attempt === asked.attempt && order.supplierId === null && !order.held;
}

/** Whether the gateway says that it paid the payout's own amount, or does not say which. */
export function paysAll({ amount }: Pick<PayoutOrder, 'amount'>, answer: CheckAnswer): boolean {
  return answer.state !== 'processed' || (answer.amount ?? amount) === amount;
}

/** Nobody knows whether the payee has the money: the locked payout waits to be confirmed. Its history says why, each reason once. */
async function waitForPerson(
  platform: Platform,
  tx: Tx,
  order: PayoutOrder,
  reason: string,
): Promise<undefined> {
  if (order.status === toBeConfirmed) {
    const [before] = await tx.query(sql`
      select 1 from order_events
      where order_id = ${order.id} and id > ${lowestIdAfter(order.id)} and kind = 'unanswered' and reason = ${reason}`);
    if (before) return;
  }
  await turn(platform, tx, order, toBeConfirmed, { kind: 'unanswered', reason });
}

async function turn(
  platform: Platform,
  tx: Tx,
  order: PayoutOrder,
  status: typeof inProgress | typeof processingError | typeof toBeConfirmed,
  event: Pick<OrderEvent, 'kind' | 'reason'>,
): Promise<void> {
  const step = { orderId: order.id, from: order.status, to: status, actor: SYSTEM, ...event };
  await transition(platform, tx, [step], LET_GO);
}

/** Payouts somebody has taken on, but of which no word came within the window, wait to be confirmed. */
export function expireSubmitted(platform: Platform, at: Date = platform.clock.now()): Promise<number> {
  return platform.db.tx(async (tx) => {
    const since = new Date(at.getTime() - WORD_WINDOW);
    const condition = sql`o.status in (${PAYOUT.inProgress}, ${PAYOUT.submitted}) and o.submitted_at <= ${since} and o.locked_by is null`;
    const silent = await lockSome(tx, condition, BATCH, { name: 'payouts without a word' });
    for (const order of silent) {
      await turn(platform, tx, order, toBeConfirmed, { kind: 'unanswered', reason: 'no word in time' });
    }
    return silent.length;
  });
}
