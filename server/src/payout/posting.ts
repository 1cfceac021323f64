import type { Leg, PostingRequest } from '../ledger/post.ts';
import type { Split } from '../ledger/fees.ts';
import type { PayoutOrder } from './order.ts';

type Held = Pick<PayoutOrder, 'id' | 'merchantId' | 'currency' | 'amount' | 'fee'>;

/** Amount and fee go from available to frozen. */
export function frozenPosting(order: Held, at: Date): PostingRequest {
  const held = order.amount + order.fee;
  return {
    ...base(order, 'payoutCreated', at),
    legs: [merchantLeg(order, 'available', -held), merchantLeg(order, 'frozen', held)],
  };
}

/** Cancelled or rejected: what was frozen is available again. */
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

/** Paid: the supplier's deposit (or the gateway's float) gets what it laid out, the fee is split. */
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

/** Key of the posting that paid a payout: what its reversal undoes. */
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
