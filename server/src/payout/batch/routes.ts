import {
  cancelPayoutBatch,
  closePayoutBatch,
  confirmPayoutBatch,
  countPayoutBatch,
  createPayoutBatch,
  exportPayoutBatch,
  getPayoutBatchDetail,
  getPayoutBatchList,
  getPayoutBatchOptions,
  handlePayoutBatchExceptions,
  markPayoutBatchSent,
  previewPayoutBatch,
  uploadPayoutBatchResult,
} from '@sangam/contract/endpoints/payout-batch.ts';
import {
  createPayoutTemplate,
  enablePayoutTemplate,
  getPayoutTemplate,
  getPayoutTemplateList,
  tryPayoutTemplate,
  updatePayoutTemplate,
} from '@sangam/contract/endpoints/payout-template.ts';
import { type Route, viewerRoute } from '../../http/route.ts';
import { confirmRows } from './confirm.ts';
import { createBatch } from './create.ts';
import { handleExceptions } from './handle.ts';
import { batchDetail, listBatches } from './list.ts';
import { batchOptions, previewBatch } from './preview.ts';
import { countFitting } from './select.ts';
import { cancelBatch, closeBatch, exportBatch, markSent } from './send.ts';
import {
  createTemplate,
  enableTemplate,
  getTemplate,
  listTemplates,
  tryTemplate,
  updateTemplate,
} from './templates/manage.ts';
import { uploadResult } from './upload-result.ts';

export const payoutBatchRoutes: readonly Route[] = [
  viewerRoute(getPayoutBatchOptions, batchOptions),
  viewerRoute(countPayoutBatch, countFitting),
  viewerRoute(previewPayoutBatch, previewBatch),
  viewerRoute(createPayoutBatch, createBatch),
  viewerRoute(getPayoutBatchList, listBatches),
  viewerRoute(getPayoutBatchDetail, (platform, viewer, input) =>
    batchDetail(platform, viewer, input.batchId),
  ),
  viewerRoute(exportPayoutBatch, (platform, viewer, input) => exportBatch(platform, viewer, input.batchId)),
  viewerRoute(markPayoutBatchSent, (platform, viewer, input) => markSent(platform, viewer, input.batchId)),
  viewerRoute(uploadPayoutBatchResult, (platform, viewer, { batchId, file }) =>
    uploadResult(platform, viewer, batchId, {
      name: file.fileName,
      bytes: Buffer.from(file.content, 'base64'),
    }),
  ),
  viewerRoute(confirmPayoutBatch, confirmRows),
  viewerRoute(handlePayoutBatchExceptions, handleExceptions),
  viewerRoute(closePayoutBatch, (platform, viewer, input) => closeBatch(platform, viewer, input.batchId)),
  viewerRoute(cancelPayoutBatch, cancelBatch),
  viewerRoute(getPayoutTemplateList, listTemplates),
  viewerRoute(getPayoutTemplate, (platform, _viewer, input) => getTemplate(platform, input)),
  viewerRoute(createPayoutTemplate, createTemplate),
  viewerRoute(updatePayoutTemplate, updateTemplate),
  viewerRoute(enablePayoutTemplate, enableTemplate),
  viewerRoute(tryPayoutTemplate, tryTemplate),
];
