import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import { formatMinor } from '@sangam/contract/money.ts';
import { formatTime } from '@sangam/contract/time.ts';
import { addSlip } from '../payout/slips.ts';
import { MINUTE } from '../platform/clock.ts';
import { qrPng } from '../platform/files/qr-code.ts';
import type { Tx } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { SUPPLIER_CAST } from './cast.ts';
import { must, personOf, platformAt } from './acting.ts';
import type { PastPayout } from './plan-payouts.ts';
import type { World } from './world.ts';

const SLIPS = 6;
/** How soon after paying a supplier adds the bank receipt. */
const AFTER = MINUTE;

/** Adds bank receipts to the newest payouts that suppliers paid. */
export async function makeDemoSlips(
  platform: Platform,
  tx: Tx,
  { userIds, suppliers }: Pick<World, 'userIds' | 'suppliers'>,
  payouts: readonly PastPayout[],
): Promise<void> {
  const paid = payouts.filter(({ status }) => status === PAYOUT_STATUS.completed).slice(-SLIPS);
  for (const payout of paid) {
    const { supplierId } = payout.account!;
    const { account } = SUPPLIER_CAST[suppliers.findIndex(({ id }) => id === supplierId)]!;
    const at = new Date(payout.finishedAt.getTime() + AFTER);
    const viewer = { ...personOf(userIds, account, 'supplier'), supplierId };
    must(await addSlip(platformAt(platform, tx, at), viewer, payout.id, await receiptOf(payout)));
  }
}

/** A picture without fonts, because not every machine has fonts: a QR code with amount, payee and reference. */
function receiptOf({ amount, payee, reference, finishedAt }: PastPayout): Promise<Buffer> {
  const paid = `Paid Rs. ${formatMinor(amount, 'INR')} to ${payee.name}`;
  return qrPng([paid, `UTR ${reference}`, formatTime(finishedAt)].join('\n'));
}
