import type { getQuote, withdraw as contract } from '@sangam/contract/endpoints/withdrawal.ts';
import type { z } from 'zod';
import { splitFee } from '../../ledger/fees.ts';
import { answersOfExisting, createInTx, type NewPayout, TAKEN } from '../../payout/create.ts';
import type { PayoutOrder } from '../../payout/order.ts';
import { readPayee } from '../../payout/payee.ts';
import { audit } from '../../platform/audit/record.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../../platform/refusal.ts';
import { serviceSuspended } from '../../platform/service-suspended.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { nameScreen } from '../../screening/screen.ts';
import { acceptOrder } from '../../terms/products/accept-order.ts';
import { merchantTerms, termsKey } from '../../terms/products/terms.ts';
import { balanceNow } from '../../treasury/owner.ts';
import { payeeOf } from './paid-to.ts';
import { beneficiaryOf, holdBeneficiary, insertWithdrawal } from './store.ts';

type Quote = z.input<typeof getQuote.output>;
type Done = z.input<typeof contract.output>;

/** What a withdrawal would cost now, or the reason why it would be refused. */
export async function quoteWithdrawal(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof getQuote.input>,
): Promise<Quote | Refusal> {
  const { merchantId } = viewer;
  if (merchantId === null) return refuse('forbidden');
  const { KYC } = await platform.settings.all();
  return platform.db.tx(async (tx) => {
    const beneficiary = await beneficiaryOf(tx, merchantId, BigInt(input.beneficiaryId));
    if (!beneficiary) return refuse('notFound');
    if (!(await holdBeneficiary(tx, merchantId, beneficiary.id))) return gone();
    const { productId } = input;
    const terms = await merchantTerms(platform, tx, [merchantId], [productId], platform.clock.now());
    const amount = BigInt(input.amount);
    const accepted = acceptOrder(
      { amount },
      {
        terms: terms.get(termsKey(merchantId, productId)),
        direction: 'out',
        isKycRequired: KYC,
        read: ({ channel }) => readPayee(channel, payeeOf(beneficiary)),
      },
    );
    if (isRefusal(accepted)) return accepted;
    const { currency } = accepted.terms;
    const { fee } = splitFee(amount, accepted.terms, null, []);
    const owner = { ownerKind: 'merchant', ownerId: merchantId } as const;
    const available = await balanceNow(tx, owner, currency, 'available');
    if (available < amount + fee) return refuse('balanceInsufficient');
    return {
      currency,
      amount: Number(amount),
      fee: Number(fee),
      total: Number(amount + fee),
      available: Number(available),
    };
  });
}

/**
 * Creates a payout to one of the merchant's beneficiaries. The key gives the order number, so the same key again answers the
 * payout it created. When the payout is written, the beneficiary still stands and the fee is the one that was shown.
 */
export async function withdraw(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof contract.input>,
): Promise<Done | Refusal> {
  const { merchantId } = viewer;
  if (viewer.role !== 'merchant' || merchantId === null) return refuse('forbidden');
  const beneficiary = await beneficiaryOf(platform.db, merchantId, BigInt(input.beneficiaryId));
  if (!beneficiary) return refuse('notFound');
  const payout: NewPayout = {
    merchantId,
    mchOrderNo: `WD-${input.requestKey}`,
    productId: input.productId,
    amount: BigInt(input.amount),
    payee: payeeOf(beneficiary),
    notifyUrl: null,
    clientIp: null,
    param1: null,
    param2: null,
    callerIp: viewer.ip,
  };
  const before = await madeBefore(platform, payout);
  if (before) return done(before);
  const closed = await serviceSuspended(platform);
  if (closed) return closed;
  // Read before the transaction: inside it the read would need a second connection.
  await nameScreen(platform).ready();
  const at = platform.clock.now();
  const made = await platform.db.tx(async (tx) => {
    if (!(await holdBeneficiary(tx, merchantId, beneficiary.id))) return gone();
    const order = (await createInTx(platform, tx, [payout], at))[0]!;
    if (order === TAKEN || isRefusal(order)) return order;
    if (order.fee !== BigInt(input.fee)) return refuse('conflict', {}, { reason: 'feeChanged' });
    await insertWithdrawal(tx, {
      orderId: order.id,
      merchantId,
      beneficiaryId: beneficiary.id,
      askedBy: viewer.userId,
      createdAt: at,
    });
    await audit(platform, tx, {
      userId: viewer.userId,
      action: 'withdrawal.create',
      subject: `order:${order.id}`,
      after: {
        beneficiaryId: input.beneficiaryId,
        amount: input.amount,
        fee: input.fee,
        currency: order.currency,
      },
      ip: viewer.ip,
    });
    return order;
  });
  // The same request was faster than this one, and has committed.
  return done(made === TAKEN ? ((await madeBefore(platform, payout)) ?? refuse('conflict')) : made);
}

const gone = () => refuse('conflict', {}, { reason: 'beneficiaryGone' });

async function madeBefore(platform: Platform, payout: NewPayout): Promise<PayoutOrder | Refusal | undefined> {
  return (await answersOfExisting(platform, [payout])).get(payout);
}

function done(order: PayoutOrder | Refusal): Done | Refusal {
  return isRefusal(order) ? order : { orderCode: String(order.id), orderStatusId: order.status };
}
