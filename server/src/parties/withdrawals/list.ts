import type { getBeneficiaries, getWithdrawals } from '@sangam/contract/endpoints/withdrawal.ts';
import type { Currency } from '@sangam/contract/money.ts';
import type { PayoutStatus } from '@sangam/contract/payouts.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { sql } from '../../platform/db/database.ts';
import { readPage } from '../../platform/db/page.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, refuse, type Refusal } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { ownerTerms } from '../../terms/products/owner-terms.ts';
import { productsById } from '../../terms/products/products.ts';
import { beneficiaryPayload, paidToOf } from './ask.ts';
import { isPaidBy, shownPaidTo } from './paid-to.ts';
import { type PaidTo, standingBeneficiaries } from './store.ts';

/** The beneficiaries of a merchant, by which of its products each can be paid, and the requests that wait for a second person. */
export async function listBeneficiaries(
  platform: Platform,
  viewer: Viewer,
): Promise<z.input<typeof getBeneficiaries.output> | Refusal> {
  const { merchantId } = viewer;
  if (merchantId === null) return refuse('forbidden');
  const { db } = platform;
  const [standing, waiting, terms, products] = await Promise.all([
    standingBeneficiaries(db, merchantId),
    db.query<{ id: bigint; payload: unknown; startedAt: Date }>(sql`
      select a.id, a.payload, a.started_at as "startedAt" from approvals a
      where a.kind = 'beneficiary' and a.subject_kind = 'merchant' and a.subject_id = ${merchantId}
        and a.status = 'pending' and a.expires_at > ${platform.clock.now()}
      order by a.id`),
    ownerTerms(db, 'merchant', [merchantId]),
    productsById(platform),
  ]);
  const payouts = terms(merchantId).flatMap(({ enabled, productId }) => {
    const product = enabled ? products.get(productId) : undefined;
    return product?.direction === 'out' ? [product] : [];
  });
  return {
    list: standing.map((each) => ({
      id: String(each.id),
      ...shownPaidTo(each),
      approveTime: formatTime(each.approvedAt),
      products: payouts
        .filter(({ channel }) => isPaidBy(each, channel))
        .map(({ id, name, currency }) => ({ productId: id, productName: name, currency })),
    })),
    waiting: waiting.map(({ id, payload, startedAt }) => {
      const asked = beneficiaryPayload.parse(payload);
      return {
        todoId: String(id),
        ...shownPaidTo(paidToOf(asked)),
        replaces: asked.beneficiaryId ?? null,
        startTime: formatTime(startedAt),
      };
    }),
  };
}

interface Row extends PaidTo {
  readonly orderId: bigint;
  readonly askedBy: string;
  readonly createdAt: Date;
  readonly currency: Currency | null;
  readonly amount: bigint | null;
  readonly fee: bigint | null;
  readonly status: PayoutStatus | null;
  readonly utr: string | null;
  readonly finishedAt: Date | null;
}

const number = (minor: bigint | null) => (minor === null ? null : Number(minor));

/** A merchant's withdrawals, newest first, each with the state of its payout. */
export async function listWithdrawals(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof getWithdrawals.input>,
): Promise<z.input<typeof getWithdrawals.output> | Refusal> {
  const { merchantId } = viewer;
  if (merchantId === null) return refuse('forbidden');
  const page = await readPage<Row>(platform, input, {
    columns: sql`w.order_id as "orderId", w.created_at as "createdAt", u.nickname as "askedBy", b.name, b.bank, b.account, b.ifsc, b.vpa,
      o.currency, o.amount, o.fee, o.status, o.utr, o.finished_at as "finishedAt"`,
    from: sql`
      from withdrawals w join beneficiaries b on b.id = w.beneficiary_id join users u on u.id = w.asked_by
      left join payout_orders o on o.id = w.order_id
      where w.merchant_id = ${merchantId}`,
    key: sql`w.order_id`,
  });
  if (isRefusal(page)) return page;
  return {
    ...page,
    list: page.list.map((row) => ({
      orderCode: String(row.orderId),
      ...shownPaidTo(row),
      currency: row.currency,
      amount: number(row.amount),
      fee: number(row.fee),
      orderStatusId: row.status,
      utr: row.utr,
      askedBy: row.askedBy,
      createTime: formatTime(row.createdAt),
      finishTime: row.finishedAt && formatTime(row.finishedAt),
    })),
  };
}
