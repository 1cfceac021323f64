import { createHash } from 'node:crypto';
import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import type { Tx } from '../platform/db/database.ts';
import { refFamily } from '../order-numbers/references.ts';
import { insertAll } from './bulk.ts';
import { isTold } from './plan-delivery.ts';
import { REJECT_REASON } from './plan-events.ts';
import { PAYOUT_PRODUCT, type PastPayout } from './plan-payouts.ts';

/** Writes the payouts of the past, with their numbers and UTRs. */
export async function writePayouts(tx: Tx, payouts: readonly PastPayout[]): Promise<void> {
  await insertAll(
    tx,
    'payout_orders',
    {
      id: 'bigint',
      merchant_id: 'bigint',
      mch_order_no: 'text',
      product_id: 'int',
      currency: 'text',
      amount: 'bigint',
      fee: 'bigint',
      status: 'smallint',
      supplier_id: 'bigint',
      account_id: 'bigint',
      payee_name: 'text',
      payee_account: 'text',
      payee_ifsc: 'text',
      payee_bank: 'text',
      utr: 'text',
      notify_url: 'text',
      supplier_commission: 'bigint',
      agent_commission: 'bigint',
      claimed_at: 'timestamptz',
      reject_reason: 'text',
      finished_at: 'timestamptz',
      created_at: 'timestamptz',
      told_at: 'timestamptz',
      told_attempt: 'int',
    },
    payouts.map((payout) => ({
      id: payout.id,
      merchant_id: payout.merchant.id,
      mch_order_no: payout.mchOrderNo,
      product_id: PAYOUT_PRODUCT,
      currency: 'INR',
      amount: payout.amount,
      fee: payout.split.fee,
      status: payout.status,
      supplier_id: payout.account?.supplierId ?? null,
      account_id: payout.account?.id ?? null,
      payee_name: payout.payee.name,
      payee_account: payout.payee.account,
      payee_ifsc: payout.payee.ifsc,
      payee_bank: payout.payee.ifsc.slice(0, 4),
      utr: payout.reference,
      notify_url: payout.merchant.notifyUrl,
      supplier_commission: payout.account ? payout.split.supplierCommission : null,
      agent_commission: payout.account ? payout.split.agentCommission : null,
      claimed_at: payout.claimedAt,
      reject_reason: payout.status === PAYOUT_STATUS.rejected ? REJECT_REASON : null,
      finished_at: payout.finishedAt,
      created_at: payout.createdAt,
      told_at: isTold(payout.delivery) ? payout.delivery.endedAt : null,
      told_attempt: isTold(payout.delivery) ? payout.delivery.attempts.length : null,
    })),
  );
  await insertAll(
    tx,
    'merchant_orders',
    {
      merchant_id: 'bigint',
      mch_order_no: 'text',
      order_id: 'bigint',
      direction: 'text',
      content_hash: 'bytea',
    },
    payouts.map((payout) => ({
      merchant_id: payout.merchant.id,
      mch_order_no: payout.mchOrderNo,
      order_id: payout.id,
      direction: 'out',
      content_hash: createHash('sha256').update(`${payout.amount}/${payout.payee.account}`).digest(),
    })),
  );
  await insertAll(
    tx,
    'utr_uses',
    { family: 'text', utr: 'text', order_id: 'bigint', used_at: 'timestamptz' },
    payouts.flatMap((payout) =>
      payout.reference === null
        ? []
        : [
            {
              family: refFamily(payout.reference, 'INR'),
              utr: payout.reference,
              order_id: payout.id,
              used_at: payout.finishedAt,
            },
          ],
    ),
  );
}
