import type { tryCallback as contract } from '@sangam/contract/endpoints/interface-test.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { audit } from '../../platform/audit/record.ts';
import { createSender } from '../../callbacks/send.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal, type Refusal } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { ownMerchant } from './own-merchant.ts';

/** Statuses on the merchant API (collection/notification.ts). */
const PAID = '1';
const TIMED_OUT = '3';

/**
 * Sends a test notification to a URL, with the merchant's own transport and signature and the same guard against private targets. We choose
 * the order's numbers, because a signed 'paid' must never name a real order.
 */
export async function tryCallback(
  platform: Platform,
  viewer: Viewer,
  { url, paid }: z.output<typeof contract.input>,
): Promise<z.input<typeof contract.output> | Refusal> {
  const merchant = await ownMerchant(platform, viewer);
  if (isRefusal(merchant)) return merchant;
  const now = platform.clock.now();
  const number = `TEST${platform.ids.next()}`;
  await platform.db.tx((tx) =>
    audit(platform, tx, {
      userId: viewer.userId,
      action: 'interfaceTest.callback',
      subject: `merchant:${merchant.id}`,
      after: { url, mchOrderNo: number },
      ip: viewer.ip,
    }),
  );
  const sender = createSender(platform.config.allowPrivateCallbacks);
  try {
    const { signType, secret, transport } = merchant;
    const outcome: Record<string, string> = paid
      ? { realAmount: '10000', income: '9700', status: PAID, paySuccessTime: formatTime(now) }
      : { status: TIMED_OUT };
    const fields = {
      mchId: String(merchant.id),
      mchOrderNo: number,
      payOrderId: number,
      productId: '1010',
      amount: '10000',
      ...outcome,
    };
    const { signed: _, ...shown } = await sender.send({ url, transport, fields, signType, secret }, now);
    return shown;
  } finally {
    await sender.close();
  }
}
