import { setTimeout as sleep } from 'node:timers/promises';
import { act, showOrder } from './console/act.ts';
import type { Desk } from './desk/desk.ts';
import type { Phone } from './monitor/phone.ts';
import type { OrderLife, SentMessage } from './order-life.ts';
import { isTakenBack, mayStayUnproven, mustBePaid, type PayoutLife } from './payout/payout-life.ts';

/** After a run's payments: reversals, and the final state of orders and payouts. */

const QUERIES_AT_ONCE = 8;
/** Kinds of message about a payment's credit. The server stores the one that arrives first. */
const MOVED: ReadonlySet<SentMessage['kind']> = new Set(['first', 'secondTelling', 'reworded']);

/** Reverses the paid orders whose plan says so; returns them. */
export async function reverseSome(orders: readonly OrderLife[], desk: Desk): Promise<OrderLife[]> {
  const taken = orders.filter(({ plan, queried }) => plan.desk === 'reverse' && queried?.status === 1);
  for (const order of taken) {
    await desk.reverse({ of: 'order', orderCode: order.created!.orderCode }).catch((error: unknown) => {
      order.error ??= describe(error);
    });
  }
  return taken;
}

/** Reverses the paid payouts whose plan says so; returns them. */
export async function takePayoutsBack(payouts: readonly PayoutLife[], desk: Desk): Promise<PayoutLife[]> {
  const taken = payouts.filter((payout) => isTakenBack(payout) && payout.row?.orderStatusId === 3);
  for (const payout of taken) {
    await desk.reverse({ of: 'payoutOrder', orderCode: payout.orderCode! }).catch((error: unknown) => {
      payout.error ??= describe(error);
    });
  }
  return taken;
}

/**
 * Reads the outcomes of payouts as merchants and the desk see them. Waits up to `graceMs` for a late debit message to prove its
 * payout.
 */
export async function askForPayouts(
  payouts: readonly PayoutLife[],
  desk: Desk,
  graceMs: number,
): Promise<void> {
  const until = Date.now() + graceMs;
  await eachOf(payouts, async (payout) => {
    if (payout.orderCode === null) return;
    try {
      const answer = await payout.client.query(payout.mchOrderNo, payout.plan.format);
      payout.queried = 'refused' in answer ? null : answer;
      const mustBeProven = mustBePaid(payout) && payout.invented === undefined;
      do payout.row = (await showOrder(desk.service, 'payoutOrder', payout.orderCode)) ?? null;
      while (mustBeProven && payout.row?.unproven && Date.now() < until && (await sleep(500, true)));
      if (mustBeProven && payout.row?.unproven && mayStayUnproven(payout))
        await acceptProof(payout, payout.orderCode, desk);
    } catch (error) {
      payout.error ??= describe(error);
    }
  });
}

/** Beside a lost message, the chain corroborates no debit. The desk accepts proof instead, because it has seen the bank's statement. */
async function acceptProof(payout: PayoutLife, orderCode: string, desk: Desk): Promise<void> {
  await act(desk.service, {
    of: 'payoutOrder',
    orderCode,
    path: '/v1.0/payoutOrder/acceptProof',
    input: { orderCode, reason: 'Simulated: statement of the bank seen' },
    done: ({ unproven }) => unproven === false,
  });
  payout.isAccepted = true;
  payout.row = (await showOrder(desk.service, 'payoutOrder', orderCode)) ?? null;
}

/** Reads the outcomes of orders as merchants see them. */
export async function askForOutcomes(orders: readonly OrderLife[]): Promise<void> {
  await eachOf(orders, async (order) => {
    if (order.created === null) return;
    try {
      const answer = await order.client.query(order.mchOrderNo, order.plan.format);
      order.queried = 'refused' in answer ? null : answer;
    } catch (error) {
      order.error ??= describe(error);
    }
  });
}

async function eachOf<Item>(items: readonly Item[], ask: (item: Item) => Promise<void>): Promise<void> {
  const open = items.values();
  const worker = async (): Promise<void> => {
    for (const item of open) await ask(item);
  };
  await Promise.all(Array.from({ length: QUERIES_AT_ONCE }, worker));
}

/**
 * A credit may complete its order only after it was reported, when the payer types the UTR. Reporting the message again returns its
 * current state.
 */
export async function announceUncertain(
  messages: readonly SentMessage[],
  phones: ReadonlyMap<string, Phone>,
): Promise<void> {
  const settled = new Set(
    messages.flatMap(({ result }) => (result?.state === 'matched' ? (result.orderCode ?? []) : [])),
  );
  const open = messages.filter(
    ({ kind, order, result }) =>
      MOVED.has(kind) && result && order?.queried?.status === 1 && !settled.has(order.queried.orderCode),
  );
  await Promise.all(
    open.map(async (message) => {
      const again = {
        messageId: message.messageId,
        sender: message.sender,
        text: message.text,
        receivedAt: new Date(),
      };
      message.result = (await phones.get(message.messageId)?.receive(again)) ?? message.result;
    }),
  );
}

/** An error as one line, with its cause. */
export function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
