import type { Leg, PostingRequest } from '../ledger/post.ts';
import type { Split } from '../ledger/fees.ts';
import type { PayoutOrder } from './order.ts';

type Held = Pick<PayoutOrder, 'id' | 'merchantId' | 'currency' | 'amount' | 'fee'>;

/** At creation amount and fee go from the merchant's available to its frozen balance. */
export function frozenPosting(order: Held, at: Date): PostingRequest {
  const held = order.amount + order.fee;
  return {
    ...base(order, 'payoutCreated', at),
    legs: [merchantLeg(order, 'available', -held), merchantLeg(order, 'frozen', held)],
  };
}

/** Cancelled or rejected: amount and fee go back from frozen to available. */
export function returnedPosting(order: Held, at: Date): PostingRequest {
  const held = order.amount + order.fee;
  return {
    ...base(order, 'payoutReturned', at),
    legs: [
      merchantLeg(order, 'frozen', -held),
      { ...merchantLeg(order, 'available', held), spillsToDebt: true },
    ],
  };
}

/** Completed: the supplier's deposit (for a gateway, the platform's float) is credited with the amount it paid, and the fee is split. */
export function completedPosting(order: PayoutOrder, split: Split, at: Date): PostingRequest {
  const payer: Leg =
    order.supplierId === null
      ? { ownerKind: 'platform', ownerId: 0n, bucket: 'float', amount: order.amount }
      : {
          ownerKind: 'supplier',
          ownerId: order.supplierId,
          bucket: 'deposit',
          amount: order.amount,
          spillsToDebt: true,
        };
  const commission = (ownerId: bigint | null, amount: bigint): Leg[] =>
    ownerId === null
      ? []
      : [{ ownerKind: 'supplier', ownerId, bucket: 'commission', amount, spillsToDebt: true }];
  return {
    ...base(order, 'payoutCompleted', at),
    legs: [
      merchantLeg(order, 'frozen', -(order.amount + order.fee)),
      payer,
      ...commission(order.supplierId, split.supplierCommission),
      ...split.agents.flatMap(({ agentId, amount }) => commission(agentId, amount)),
      { ownerKind: 'platform', ownerId: 0n, bucket: 'revenue', amount: split.revenue },
    ],
  };
}

function postingKey(orderId: bigint, kind: string): string {
  return `payout/${orderId}/${kind}`;
}

/** Key of the posting of a payout's completion, which a reversal undoes. */
export function completedKey(orderId: bigint): string {
  return postingKey(orderId, 'payoutCompleted');
}

function base(order: Held, kind: string, at: Date) {
  return {
    key: postingKey(order.id, kind),
    kind,
    orderId: order.id,
    currency: order.currency,
    at,
  } as const;
}

function merchantLeg(order: Held, bucket: 'available' | 'frozen', amount: bigint): Leg {
  return { ownerKind: 'merchant', ownerId: order.merchantId, bucket, amount };
}
