import { formatMinor } from '@sangam/contract/money.ts';
import { PAYOUT_STATUS, USDT_PAYOUT } from '@sangam/contract/payouts.ts';
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
import {
  notifyClaimContradicted,
  notifyPaidElsewhere,
  notifyPaidOtherwise,
  withHeldReversal,
} from './contradicted.ts';
import { attemptOf, sendKey } from './dispatch.ts';
import type { PayoutOrder } from './order.ts';
import { proveByGateway } from './prove.ts';
import { reverseHeld, takenBackByGateway } from './reverse.ts';
import { HELD_BY_NOBODY, lockPayouts, lockSome, noteReference } from './store.ts';
import { LET_GO, transition } from './transition.ts';

const BATCH = 32;
const ASK_EVERY = 15 * SECOND;
/**
 * How long after its end a payout is asked about. A bank may return money the next day, an instant transfer within two (docs/rails.md#upi).
 */
const ENDED_ASKED_FOR = 7 * DAY;
/** A payout that is submitted or in progress this long without a final answer goes to 'to be confirmed'. */
const WORD_WINDOW = 30 * MINUTE;

const { completed, inProgress, processingError, submitted, toBeConfirmed } = PAYOUT_STATUS;

/**
 * Asks gateways about open payouts: submitted, in progress, and to be confirmed. Those of unknown outcome are asked about until there is an
 * answer, and are never sent again. Returns how many were asked about.
 */
export async function askGateways(platform: Platform, channels: PayoutChannels): Promise<number> {
  const isOpen = sql`o.status in (${PAYOUT.inProgress}, ${PAYOUT.toBeConfirmed}, ${PAYOUT.submitted}) and ${HELD_BY_NOBODY}`;
  const orders = await take(platform, channels, isOpen, ASK_EVERY);
  await Promise.all(
    orders.map(async (order) => recordGatewayStatus(platform, order, await ask(platform, channels, order))),
  );
  return orders.length;
}

async function ask(
  platform: Platform,
  channels: PayoutChannels,
  order: PayoutOrder,
  isPresent = true,
): Promise<CheckAnswer> {
  try {
    const { gatewayRef: reference, accountId, currency, payerHeld } = order;
    const sent = { key: sendKey(order), reference, accountId, currency, isPresent, payerHeld };
    return await channels.get(order.productId)!.check(sent);
  } catch (error) {
    platform.log.warn({ err: error, orderId: String(order.id) }, 'the gateway does not answer');
    return { state: 'unknown' };
  }
}

/**
 * Asks about payouts that ended within the last week, each every six hours, frozen ones too (docs/domain.md#gateways-and-sends). It
 * reverses a payout that the gateway completed and has taken back; a reversal that was held for a freeze is done here once payout and
 * merchant are unfrozen. It notifies the admins where the gateway paid by an attempt that was given up: refunded, begun anew, or paid by a
 * supplier. This finds what a webhook missed. Returns how many were asked about, once none is due.
 */
export async function askAboutEnded(platform: Platform, channels: PayoutChannels): Promise<number> {
  if (channels.size === 0) return 0;
  for (let asked = 0; ;) {
    const orders = await takeEnded(platform, channels);
    const free = orders.filter(({ status, held }) => status === completed && !held).map(({ id }) => id);
    for (const { orderId } of await withHeldReversal(platform.db, free))
      await platform.db.tx((tx) => reverseHeld(platform, tx, orderId));
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

/** The attempts of these orders that were sent to gateways, by order id. */
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
  // Only the present attempt, of a payout that no supplier paid, can reverse the payout by 'failed' or prove it by 'processed'.
  const isPresent = attempt === order.attempt && order.supplierId === null;
  if (isPresent && order.status === completed && channels.get(order.productId)!.isFinal) return;
  const ended = { ...order, payerHeld: true };
  const asked = isPresent ? ended : { ...ended, attempt, accountId, gatewayRef: null };
  const answer = await ask(platform, channels, asked, isPresent);
  if (answer.state === 'failed' && isPresent) await takenBackByGateway(platform, order, answer.reason);
  if (answer.state !== 'processed') return;
  const proves = isPresent && isPaidAsOrdered(order, answer);
  if (!proves || !(await proveByGateway(platform, order.id, answer.utr)))
    await notifyPaidElsewhere(
      platform,
      { id: order.id, attempt },
      { isPresent, utr: answer.utr, amount: answer.amount },
    );
}

/**
 * Takes ended payouts that are due, the longest due first, and sets when they are due next: never again a week after their end, unless a
 * reversal is held.
 */
function takeEnded(platform: Platform, channels: PayoutChannels): Promise<PayoutOrder[]> {
  const final = [...channels].flatMap(([productId, { isFinal }]) => (isFinal ? [productId] : []));
  return platform.db.tx(async (tx) => {
    const at = platform.clock.now();
    // Completed by the only attempt, and for good.
    const isOver = sql`(o.product_id = any(${final}) and o.status = ${PAYOUT.completed} and o.attempt = 1 and o.supplier_id is null)`;
    const due = sql`o.ask_again_at <= ${at} and o.product_id = any(${[...channels.keys()]}) and not ${isOver}`;
    const orders = await lockSome(tx, due, BATCH, { first: sql`o.ask_again_at` });
    if (orders.length === 0) return orders;
    const next = new Date(at.getTime() + ASK_ENDED_EVERY);
    await tx.query(sql`
      update payout_orders set asked_at = ${at}, ask_again_at =
        case when finished_at > ${new Date(next.getTime() - ENDED_ASKED_FOR)} or reversed_at is null and exists (
          select from order_events e where e.order_id = payout_orders.id and e.kind = 'reversalHeld') then ${next}::timestamptz end
      where id = any(${orders.map((order) => order.id)})`);
    return orders;
  });
}

/**
 * Takes the orders that were not asked about for `everyMs`, and notes that they are asked about now. Those asked about longest ago come
 * first, so a payout that gets no answer does not keep others waiting. A payout that a supplier has claimed is no longer a gateway's.
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
 * Moves an open payout on by the gateway's status, from an answer or a webhook. A payout stays as it is when it has ended, was begun anew
 * since (`attempt`), was claimed by a supplier, or is frozen. Returns whether the status was applied.
 */
export async function recordGatewayStatus(
  platform: Platform,
  asked: Pick<PayoutOrder, 'id' | 'attempt'>,
  answer: CheckAnswer,
): Promise<boolean> {
  if (answer.state === 'unknown') return false;
  let taken = false;
  const problem = await platform.db.tx(async (tx) => {
    // The transaction may run again after a serialization failure: the first run was undone.
    taken = false;
    const [order] = await lockPayouts(tx, [asked.id]);
    if (!order || !isAskedAbout(order, asked)) return undefined;
    taken = true;
    if ('reference' in answer && answer.reference !== undefined)
      await noteReference(tx, asked, answer.reference);
    if (answer.state === 'processed') {
      if (!isPaidAsOrdered(order, answer)) return paidOtherwise(platform, tx, order, answer);
      const utr = readReference(answer.utr, order.currency);
      return complete(platform, tx, { order, utr, unproven: false, actor: SYSTEM, data: { by: 'gateway' } });
    }
    if (answer.state === 'failed') {
      return turn(platform, tx, order, processingError, { kind: 'failed', reason: answer.reason });
    }
    if (answer.state === 'late') return waitForPerson(platform, tx, order, answer.reason);
    // 'Accepted' is not final: it does not move a payout out of 'to be confirmed'.
    return order.status === submitted
      ? turn(platform, tx, order, inProgress, { kind: 'accepted' })
      : undefined;
  });
  if (!isRefusal(problem)) return taken;
  platform.log.error({ orderId: String(asked.id), code: problem.code }, 'gateway payout not completed');
  if (answer.state === 'processed' && answer.utr !== null) await paidByAnothers(platform, asked, answer.utr);
  return false;
}

/** The gateway names a UTR of another order: the payout goes to 'to be confirmed', and the admins are notified once. */
function paidByAnothers(
  platform: Platform,
  asked: Pick<PayoutOrder, 'id' | 'attempt'>,
  utr: string,
): Promise<void> {
  return platform.db.tx(async (tx) => {
    const [order] = await lockPayouts(tx, [asked.id]);
    if (!order || !isAskedAbout(order, asked)) return;
    await waitForPerson(platform, tx, order, 'the gateway names a UTR of another order');
    await notifyClaimContradicted(platform, tx, order, readReference(utr, order.currency)!);
  });
}

/**
 * Whether the gateway's status of an attempt applies to a locked payout: the payout is open, not frozen, and this attempt is its present
 * one.
 */
function isAskedAbout(order: PayoutOrder, asked: Pick<PayoutOrder, 'attempt'>): boolean {
  const isOpen = [inProgress, toBeConfirmed, submitted].some((status) => status === order.status);
  // While the gateway was asked, a person may have ended the payout or begun it anew, or a supplier may have claimed it after the attempt
  // failed. A frozen payout, or one of a frozen merchant, is asked about again later.
  return isOpen && order.attempt === asked.attempt && order.supplierId === null && !order.held;
}

type Processed = Extract<CheckAnswer, { state: 'processed' }>;

/** False when the gateway says that it paid another amount than the payout's, or another address. True when it names neither. */
export function isPaidAsOrdered(
  { amount, payeeAddress }: Pick<PayoutOrder, 'amount' | 'payeeAddress'>,
  said: Pick<Processed, 'amount' | 'payeeAddress'>,
): boolean {
  return (said.amount ?? amount) === amount && (said.payeeAddress ?? payeeAddress) === payeeAddress;
}

/**
 * The gateway paid another amount or address than a locked payout's. The admins are notified, and people decide. A chain has said its last
 * word then, and no other transfer of the payout is ever signed: the payout is a processing error, frozen until two people have looked.
 */
async function paidOtherwise(
  platform: Platform,
  tx: Tx,
  order: PayoutOrder,
  { utr, amount = order.amount, payeeAddress = order.payeeAddress ?? undefined }: Processed,
): Promise<undefined> {
  await notifyPaidOtherwise(platform, tx, order, { utr, amount, payeeAddress });
  const to = payeeAddress === undefined ? '' : ` to ${payeeAddress}`;
  const sum = `${formatMinor(amount, order.currency)} ${order.currency}`;
  const reason = `${utr ?? 'the gateway'} paid ${sum}${to}, not what was ordered`;
  if (order.productId !== USDT_PAYOUT) return waitForPerson(platform, tx, order, reason);
  await turn(platform, tx, order, processingError, { kind: 'failed', reason });
}

/** Moves a locked payout to 'to be confirmed': nobody knows whether the payee has the money. Its history keeps each reason once. */
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

/** Moves payouts that were submitted longer ago than `WORD_WINDOW`, without a final answer, to 'to be confirmed'; returns how many. */
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
