import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import type { Explanation } from '../collection/allocate.ts';
import { SYSTEM, type Actor } from '../history/events.ts';
import { type Delivery, isTold } from './plan-delivery.ts';
import type { PastPayout } from './plan-payouts.ts';
import type { PastOrder } from './plan-orders.ts';
import type { World, WorldAccount } from './world.ts';

export interface PastEvent {
  readonly orderId: bigint;
  readonly kind: string;
  readonly from: number | null;
  readonly to: number;
  readonly actor: Actor;
  readonly reason?: string;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly at: Date;
}

const DESK_IP = '192.0.2.15';

const PROOF_REASON = 'Seen on the bank statement';
export const REJECT_REASON = 'Payee account closed';

/** The history of an order, as the commands would have written it. */
export function orderEvents(past: PastOrder, world: World): PastEvent[] {
  const { order, account, payment, delivery, timedOutAt, marked } = past;
  const service: Actor = { kind: 'user', id: world.userIds.get('service')!, ip: DESK_IP };
  const events: PastEvent[] = [
    {
      orderId: order.id,
      kind: 'created',
      from: null,
      to: 0,
      actor: { kind: 'merchant', id: order.merchantId, ip: past.callerIp },
      at: order.createdAt,
    },
    {
      orderId: order.id,
      kind: account ? 'allocated' : 'allocationFailed',
      from: 0,
      to: account ? 1 : 5,
      actor: SYSTEM,
      data: { ...explanationOf(order.productId, account, world) },
      at: order.createdAt,
    },
  ];
  const add = (event: Omit<PastEvent, 'orderId' | 'from'>) =>
    events.push({ orderId: order.id, from: events.at(-1)!.to, ...event });
  if (timedOutAt) add({ kind: 'timedOut', to: 2, actor: SYSTEM, at: timedOutAt });
  if (payment) {
    const evidence = { received: Number(order.received), utr: order.utr };
    if (payment.by === 'message') {
      add({
        kind: 'paid',
        to: 6,
        actor: { kind: 'monitor', id: account!.monitorId, ip: null },
        data: { messageId: String(payment.messageId), evidence: 'exactAmount', ...evidence },
        at: order.paidAt!,
      });
    } else {
      add({
        kind: 'supplemented',
        to: 6,
        actor: service,
        data: { offset: payment.offset, ...evidence },
        at: order.paidAt!,
      });
    }
  }
  if (delivery) add({ ...callbackEvent(delivery), to: delivery.status });
  if (marked) {
    const data = { before: 0, after: marked.mark };
    add({ kind: 'marked', to: order.status, actor: service, reason: marked.reason, data, at: marked.at });
  }
  return events;
}

function explanationOf(productId: number, chosen: WorldAccount | undefined, world: World): Explanation {
  const ofProduct = world.accounts.filter((account) => account.products.includes(productId));
  return {
    run: String(world.runIds[chosen ? 'eligible' : 'monitorOffline'].get(productId)),
    verdicts: chosen
      ? { [String(chosen.id)]: 'chosen' }
      : Object.fromEntries(ofProduct.map(({ id }) => [String(id), 'monitorOffline'])),
  };
}

export function payoutEvents(payout: PastPayout, world: World): PastEvent[] {
  const { id: orderId, status, delivery } = payout;
  return [...endEvents(payout, world), { orderId, ...callbackEvent(delivery), from: status, to: status }];
}

function callbackEvent(delivery: Delivery) {
  const { callbackId, attempts, endedAt: at } = delivery;
  const kind = isTold(delivery) ? ('callbackSucceeded' as const) : ('callbackFailed' as const);
  return { kind, actor: SYSTEM, data: { callbackId: String(callbackId), attempts: attempts.length }, at };
}

function endEvents(payout: PastPayout, world: World): PastEvent[] {
  const { id: orderId, status, claimedAt, finishedAt: at } = payout;
  const merchant: Actor = { kind: 'merchant', id: payout.merchant.id, ip: null };
  const desk: Actor = { kind: 'user', id: world.userIds.get('service')!, ip: DESK_IP };
  const created: PastEvent = {
    orderId,
    kind: 'created',
    from: null,
    to: 0,
    actor: merchant,
    at: payout.createdAt,
  };
  switch (status) {
    case PAYOUT_STATUS.completed: {
      const supplier: Actor = { kind: 'user', id: world.userIds.get(payout.account!.supplier)!, ip: null };
      return [
        created,
        { orderId, kind: 'claimed', from: 0, to: 1, actor: supplier, at: claimedAt! },
        { orderId, kind: 'completed', from: 1, to: 3, actor: supplier, data: { utr: payout.reference }, at },
        { orderId, kind: 'proofAccepted', from: 3, to: 3, actor: desk, reason: PROOF_REASON, at },
      ];
    }
    case PAYOUT_STATUS.cancelled:
      return [created, { orderId, kind: 'cancelled', from: 0, to: 4, actor: merchant, at }];
    case PAYOUT_STATUS.rejected:
      return [
        created,
        { orderId, kind: 'rejecting', from: 0, to: 5, actor: desk, reason: REJECT_REASON, at },
        { orderId, kind: 'rejected', from: 5, to: 6, actor: SYSTEM, at },
      ];
  }
}
