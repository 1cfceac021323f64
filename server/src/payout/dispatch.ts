import { PAYOUT_STATUS, type PayoutStatus } from '@sangam/contract/payouts.ts';
import { businessDay } from '@sangam/contract/time.ts';
import { ADMINS } from '@sangam/contract/roles.ts';
import { closePayer, type Payer, stillOpen } from '../accounts/payers.ts';
import type { PayoutChannel, PayoutChannels, SendAnswer } from '../channels/payout-channel.ts';
import { MINUTE, SECOND } from '../platform/clock.ts';
import { hot, raw, type Sql, sql, type Tx } from '../platform/db/database.ts';
import { PAYOUT } from '../platform/db/statuses.ts';
import { type OrderEvent, SYSTEM } from '../history/events.ts';
import { notify } from '../inbox/notify.ts';
import type { Platform } from '../platform/platform.ts';
import { kycApproved } from '../terms/kyc/approved.ts';
import { fitsARoom, roomsOf, takeRoom } from './account-room.ts';
import { withoutListed } from './listed-payees.ts';
import { notifyTakenAfterEnd } from './contradicted.ts';
import type { PayoutOrder } from './order.ts';
import { HELD_BY_NOBODY, lockPayouts, lockSome, noteReference } from './store.ts';
import { putBack } from './supplier-days.ts';
import { LET_GO, transition } from './transition.ts';

/** How many sends of one product a node has under way at once. */
const AT_ONCE = 16;
/** How many lost sends one transaction writes down. */
const RECOVERED_AT_ONCE = 16;
/** After this time without an answer the outcome is unknown: the gateway may still pay. */
const PATIENCE = 30 * SECOND;
/** Longer than a send can last. A send that is not recorded by then was lost with its node. */
const SEND_LEASE = 2 * MINUTE;

/** How long a payout waits that could not be sent for a passing reason. */
const HOLD = 5 * MINUTE;

/** The process that holds an order while it is sent. */
const LOCK = 'gateway';

/** Sends waiting payouts. A gateway that is slow with some of them does not hold up the others. */
export interface Dispatcher {
  /** Begins as many sends as there is room for; returns how many. */
  round(): Promise<number>;
  /** Resolves when every send under way was answered or given up; rejects if an answer could not be written down. */
  settled(): Promise<void>;
}

/**
 * Sends waiting payouts of gateway products, each once. The order is locked and marked as being sent before the gateway is called. Only
 * a person's reselect of a failed payout makes it be sent again (docs/domain.md#gateways-and-sends).
 */
export function createDispatcher(
  platform: Platform,
  channels: PayoutChannels,
  patience: number = PATIENCE,
): Dispatcher {
  const products = [...channels].map(([productId, channel]) => ({
    productId,
    channel,
    underWay: new Set<Promise<void>>(),
  }));
  const begin = (channel: PayoutChannel, underWay: Set<Promise<void>>, order: PayoutOrder) => {
    const task = send(channel, order, patience)
      .then((answer) => record(platform, order, answer))
      .finally(() => underWay.delete(task));
    // `settled` waits for the task; an error before that must not end the process. `recoverSends` finds what was not written down.
    task.catch((error: unknown) =>
      platform.log.warn(
        { err: error, order: String(order.id) },
        'what became of a send was not written down',
      ),
    );
    underWay.add(task);
  };
  return {
    async round() {
      const waiting = await withWaiting(platform, [...channels.keys()]);
      const begun = await Promise.all(
        products.map(async ({ productId, channel, underWay }) => {
          if (!waiting.has(productId)) return 0;
          const room = AT_ONCE - underWay.size;
          if (room <= 0) return 0;
          const payers = channel.payers ? await channel.payers() : null;
          if (payers?.length === 0) return 0;
          const orders = await takeWaiting(platform, productId, payers, room);
          for (const order of orders) begin(channel, underWay, order);
          return orders.length;
        }),
      );
      return begun.reduce((total, count) => total + count, 0);
    },
    async settled() {
      await Promise.all(products.flatMap(({ underWay }) => [...underWay]));
    },
  };
}

/** The key that names one send to the gateway. A failed send is never repeated: the send after a reselect has a new key. */
export function sendKey(order: Pick<PayoutOrder, 'id' | 'attempt'>): string {
  return order.attempt <= 1 ? String(order.id) : `${order.id}-${order.attempt}`;
}

/** The order and attempt that a key names; undefined when it is no key of ours. */
export function attemptOf(key: string): { readonly id: bigint; readonly attempt: number } | undefined {
  const match = /^(\d{1,19})(?:-(\d{1,6}))?$/.exec(key);
  return match ? { id: BigInt(match[1]!), attempt: Number(match[2] ?? 1) } : undefined;
}

/**
 * The products that have waiting payouts. Asked first, because choosing payouts is planned anew each time and locks the paying accounts.
 */
async function withWaiting({ db }: Platform, productIds: readonly number[]): Promise<ReadonlySet<number>> {
  const rows = await db.query<{ id: number }>(
    hot(
      'products with waiting payouts',
      sql`
    select id from unnest(${productIds}::int[]) as p (id)
    where exists (select from payout_orders o where o.product_id = p.id and o.status = ${raw(String(PAYOUT_STATUS.waiting))})`,
    ),
  );
  return new Set(rows.map(({ id }) => id));
}

/** Takes the oldest waiting payouts that one of the accounts can pay (null: the product needs no account), and marks them as being sent. */
async function takeWaiting(
  platform: Platform,
  productId: number,
  payers: readonly Payer[] | null,
  most: number,
): Promise<PayoutOrder[]> {
  const settings = await platform.settings.all();
  return platform.db.tx(async (tx) => {
    const { waiting, preparing } = PAYOUT_STATUS;
    const at = platform.clock.now();
    const day = businessDay(at);
    const rooms = payers && (await roomsOf(tx, await stillOpen(tx, payers, productId), day, settings));
    const fits = rooms ? fitsARoom(rooms) : sql`true`;
    if (!fits) return [];
    const condition = sql`o.status = ${waiting} and o.product_id = ${productId} and o.locked_by is null
      and ${HELD_BY_NOBODY} and ${termsAllow(settings.KYC, at)}
      and (o.asked_at is null or o.asked_at <= ${new Date(at.getTime() - HOLD)}) and ${fits}`;
    const clear = await withoutListed(platform, tx, await lockSome(tx, condition, most));
    const given = clear.flatMap((order) => {
      const accountId = rooms ? takeRoom(rooms, order)?.id : null;
      return accountId === undefined ? [] : [{ id: order.id, accountId, attempt: order.attempt + 1 }];
    });
    const ids = given.map(({ id }) => id);
    const givenOf = new Map(given.map((each) => [each.id, each]));
    await transition(
      platform,
      tx,
      given.map(({ id, attempt }) => ({
        orderId: id,
        kind: 'dispatched',
        from: waiting,
        to: preparing,
        actor: SYSTEM,
        data: {
          key: sendKey({ id, attempt }),
          accountId: givenOf.get(id)!.accountId === null ? null : String(givenOf.get(id)!.accountId),
        },
      })),
      (orderId) => ({
        attempt: givenOf.get(orderId)!.attempt,
        account_id: givenOf.get(orderId)!.accountId,
        locked_by: LOCK,
        locked_at: at,
        sending_since: at,
        taken_on: day,
      }),
    );
    return lockPayouts(tx, ids);
  });
}

/** SQL condition: the payout's (alias `o`) product, its merchant and the merchant's terms are enabled, and KYC is approved if required. */
function termsAllow(kycRequired: boolean, at: Date): Sql {
  return sql`exists (
    select from products p join user_products u on u.product_id = p.id and u.owner_kind = 'merchant'
    join merchants m on m.id = u.owner_id and m.enabled
    where p.id = o.product_id and p.enabled and u.owner_id = o.merchant_id and u.enabled
      and (not ${kycRequired} or ${kycApproved('merchant', sql`m.id`, at)}))`;
}

/**
 * One send. An error on the way does not say whether the gateway received it: the outcome is unknown. After `patience` the send is given
 * up: what has not gone out by then does not go out.
 */
async function send(channel: PayoutChannel, order: PayoutOrder, patience: number): Promise<SendAnswer> {
  const { accountId, currency, amount, payeeName, payeeAccount, payeeIfsc, payeeVpa } = order;
  const { payeePhone, payeeAddress } = order;
  const payout = { accountId, currency, amount, payeeName, payeeAccount, payeeIfsc, payeeVpa };
  let timer: NodeJS.Timeout | undefined;
  const giveUp = new AbortController();
  const late = new Promise<SendAnswer>((resolve) => {
    timer = setTimeout(() => {
      giveUp.abort();
      resolve({ outcome: 'unknown', reason: 'no answer in time' });
    }, patience);
  });
  try {
    return await Promise.race([
      channel.send(
        { orderCode: String(order.id), ...payout, payeePhone, payeeAddress },
        sendKey(order),
        giveUp.signal,
      ),
      late,
    ]);
  } catch (error) {
    return { outcome: 'unknown', reason: error instanceof Error ? error.message : String(error) };
  } finally {
    clearTimeout(timer);
  }
}

const AFTER: Readonly<
  Record<SendAnswer['outcome'], { readonly status: PayoutStatus; readonly kind: OrderEvent['kind'] }>
> = {
  accepted: { status: PAYOUT_STATUS.submitted, kind: 'submitted' },
  refused: { status: PAYOUT_STATUS.processingError, kind: 'failed' },
  unknown: { status: PAYOUT_STATUS.toBeConfirmed, kind: 'unanswered' },
  held: { status: PAYOUT_STATUS.waiting, kind: 'held' },
};

/** Writes down the gateway's answer. If a person has unlocked the order meanwhile, its history notes the answer and its status stays. */
async function record(platform: Platform, sent: PayoutOrder, answer: SendAnswer): Promise<void> {
  await platform.db.tx(async (tx) => {
    const [order] = await lockPayouts(tx, [sent.id]);
    if (!order) return;
    const { status, kind } = AFTER[answer.outcome];
    const isOurs = order.attempt === sent.attempt && order.sendingSince !== null;
    const at = platform.clock.now();
    // Kept whatever became of the order: the gateway finds the send by it.
    const reference = ('reference' in answer ? answer.reference : undefined) ?? null;
    const event = {
      kind,
      actor: SYSTEM,
      ...(answer.outcome === 'accepted' ? {} : { reason: answer.reason }),
      data: { key: sendKey(sent), ...(reference === null ? {} : { reference }) },
    };
    if (isOurs && answer.outcome === 'held') {
      await putBack(platform, tx, [order], () => event, { asked_at: at });
      if (answer.closesAccount && order.accountId !== null)
        await closeAccount(platform, tx, order.accountId, answer.reason);
    } else {
      const step = { orderId: order.id, from: order.status, to: isOurs ? status : order.status, ...event };
      await transition(platform, tx, [step], isOurs ? { ...LET_GO, submitted_at: at, asked_at: at } : {});
    }
    if (reference !== null) await noteReference(tx, sent, reference);
    if (!isOurs && answer.outcome === 'accepted')
      await notifyTakenAfterEnd(platform, tx, order, sent.attempt);
  });
}

/** The gateway refuses the account's keys. The account sends nothing until somebody has replaced them; the admins are notified once. */
async function closeAccount(platform: Platform, tx: Tx, accountId: bigint, reason: string): Promise<void> {
  if (await closePayer(platform, tx, accountId, reason))
    await notify(platform, tx, { roles: ADMINS }, 'gatewayPaused', { account: String(accountId), reason });
}

/**
 * Moves sends whose answer was not written down (a node or the database died) to 'to be confirmed'. They are never sent again by
 * themselves.
 */
export function recoverSends(platform: Platform, at: Date = platform.clock.now()): Promise<number> {
  return platform.db.tx(async (tx) => {
    const { toBeConfirmed } = PAYOUT_STATUS;
    const since = new Date(at.getTime() - SEND_LEASE);
    const condition = sql`o.sending_since <= ${since} and o.status = ${PAYOUT.preparing}`;
    const lost = await lockSome(tx, condition, RECOVERED_AT_ONCE, { name: 'sends without an answer' });
    await transition(
      platform,
      tx,
      lost.map((order) => ({
        orderId: order.id,
        kind: 'unanswered',
        from: order.status,
        to: toBeConfirmed,
        actor: SYSTEM,
        reason: 'the answer to the send was lost',
        data: { key: sendKey(order) },
      })),
      { ...LET_GO, submitted_at: at },
    );
    return lost.length;
  });
}
