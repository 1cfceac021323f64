import { createHash } from 'node:crypto';
import { orderUploadFlag } from '@sangam/contract/endpoints/order.ts';
import {
  BATCH_COLUMNS,
  createBatch as endpoint,
  NEEDED_BATCH_COLUMNS,
} from '@sangam/contract/endpoints/outside.ts';
import { MOST_BATCH_ORDERS } from '@sangam/contract/payout-batches.ts';
import { merchantRoute, type Route, viewerRoute } from '../../http/route.ts';
import { wrongInput } from '../../platform/refusal.ts';
import { createBatch } from './create-batch.ts';
import { hasPayoutProduct } from './store.ts';

export const payoutUploadRoutes: readonly Route[] = [
  merchantRoute(endpoint, async (platform, merchant, input, caller) => {
    const { file } = merchant;
    if (!file) return wrongInput('file');
    // The signature covers the fields only. The file is signed by its hash among them.
    const hash = createHash('sha256').update(file.bytes).digest('hex');
    if (input.fileHash === undefined ? merchant.signType !== 'md5' : input.fileHash !== hash)
      return wrongInput('fileHash');
    const { ip, locale } = caller;
    return createBatch(platform, { merchantId: merchant.id, key: input.key, file, callerIp: ip, locale });
  }),
  viewerRoute(orderUploadFlag, async (platform, viewer) => ({
    enable: viewer.merchantId !== null && (await hasPayoutProduct(platform.db, viewer.merchantId)),
    fileTypes: ['csv'],
    maxOrders: MOST_BATCH_ORDERS,
    columns: [...BATCH_COLUMNS],
    neededColumns: [...NEEDED_BATCH_COLUMNS],
  })),
];
