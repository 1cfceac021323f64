import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { SECOND } from '../platform/clock.ts';
import type { IdMaker } from '../platform/db/ids.ts';
import { splitFee, type Split } from '../ledger/fees.ts';
import type { Leg, PostingRequest } from '../ledger/post.ts';
import { type Incidents, isDeaf } from './incidents.ts';
import { type Delivery, planDelivery } from './plan-delivery.ts';
import { referenceAt } from './plan-orders.ts';
import type { Random } from './random.ts';
import { termsOf, type World, type WorldAccount, type WorldMerchant } from './world.ts';

export const PAYOUT_PRODUCT = 2001;

const PAYEE_BANKS = [
  'HDFC0000240',
  'SBIN0005943',
  'ICIC0000104',
  'UTIB0000005',
  'PUNB0112000',
  'KKBK0000958',
  'BARB0INDELX',
];

export interface PastPayout {
  readonly id: bigint;
  readonly merchant: WorldMerchant;
  readonly mchOrderNo: string;
  readonly amount: bigint;
  readonly split: Split;
  readonly status: 3 | 4 | 6;
  readonly account: WorldAccount | undefined;
  readonly payee: { readonly name: string; readonly account: string; readonly ifsc: string };
  readonly reference: string | null;
  readonly createdAt: Date;
  readonly claimedAt: Date | null;
  readonly finishedAt: Date;
  readonly delivery: Delivery;
}

interface PayoutPlanner {
  readonly ids: IdMaker;
  readonly world: World;
  readonly random: Random;
  readonly payee: { readonly name: string };
  /** The end of the past. */
  readonly now: Date;
  readonly incidents: Incidents;
}

export function planPayout(
  { ids, world, random, payee, now, incidents }: PayoutPlanner,
  merchant: WorldMerchant,
  amount: bigint,
  index: number,
  createdAt: Date,
): PastPayout {
  const status = random.weighted([
    [PAYOUT_STATUS.completed, 90],
    [PAYOUT_STATUS.cancelled, 3],
    [PAYOUT_STATUS.rejected, 7],
  ] as const);
  const later = (from: Date, low: number, high: number) =>
    new Date(from.getTime() + random.int(low, high) * SECOND);
  const claimedAt = status === PAYOUT_STATUS.completed ? later(createdAt, 20, 600) : null;
  const finishedAt = claimedAt ? later(claimedAt, 60, 1_500) : later(createdAt, 120, 2_400);
  const account = claimedAt ? random.pick(world.accounts) : undefined;
  const terms = termsOf(PAYOUT_PRODUCT);
  return {
    id: ids.next(createdAt),
    merchant,
    mchOrderNo: `${merchant.prefix}W${formatTime(createdAt).slice(2, 10).replaceAll('-', '')}${String(index).padStart(6, '0')}`,
    amount,
    split: splitFee(
      amount,
      terms.merchant,
      account ? terms.supplier : null,
      account?.agentId ? [{ agentId: account.agentId, terms: terms.agent }] : [],
    ),
    status,
    account,
    payee: {
      name: payee.name,
      account: `${random.int(1, 9)}${random.digits(10)}`,
      ifsc: random.pick(PAYEE_BANKS),
    },
    // Uses serials behind those of the orders, because both share the range.
    reference: claimedAt ? referenceAt(finishedAt, 'payout', index) : null,
    createdAt,
    claimedAt,
    finishedAt,
    delivery: planDelivery(ids, finishedAt, now, random, isDeaf(incidents, merchant.account, finishedAt)),
  };
}

export function payoutPosting(
  payout: PastPayout,
  kind: 'payoutCreated' | 'payoutCompleted' | 'payoutReturned',
  at: Date,
): PostingRequest {
  const { merchant, amount, split, account } = payout;
  const held = amount + split.fee;
  const merchantLeg = (bucket: 'available' | 'frozen', change: bigint): Leg => ({
    ownerKind: 'merchant',
    ownerId: merchant.id,
    bucket,
    amount: change,
  });
  const base = { key: `payout/${payout.id}/${kind}`, kind, orderId: payout.id, currency: 'INR', at } as const;
  if (kind === 'payoutCreated')
    return { ...base, legs: [merchantLeg('available', -held), merchantLeg('frozen', held)] };
  if (kind === 'payoutReturned')
    return { ...base, legs: [merchantLeg('frozen', -held), merchantLeg('available', held)] };
  const supplier = (bucket: 'deposit' | 'commission', ownerId: bigint, change: bigint): Leg => ({
    ownerKind: 'supplier',
    ownerId,
    bucket,
    amount: change,
  });
  const { supplierId } = account!;
  return {
    ...base,
    legs: [
      merchantLeg('frozen', -held),
      supplier('deposit', supplierId, amount),
      supplier('commission', supplierId, split.supplierCommission),
      ...split.agents.map((each) => supplier('commission', each.agentId, each.amount)),
      { ownerKind: 'platform', ownerId: 0n, bucket: 'revenue', amount: split.revenue },
    ],
  };
}
