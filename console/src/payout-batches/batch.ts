import type { Call, endpoints } from 'virtual:endpoints';
import type { RowOf } from '../http/call-types.ts';

type OutputOf<Definition> = Definition extends Call<infer _, infer Output> ? Output : never;

/** A payout batch as its list has it. */
export type Batch = RowOf<typeof endpoints.payoutBatch.getPayoutBatchList>;
export type BatchDetail = OutputOf<typeof endpoints.payoutBatch.getPayoutBatchDetail>;
export type BatchOrder = BatchDetail['orders'][number];
export type BatchPreview = OutputOf<typeof endpoints.payoutBatch.previewPayoutBatch>;
/** The result of each row after an action. */
export type RowResults = OutputOf<typeof endpoints.payoutBatch.confirmPayoutBatch>['list'];
export type Template = OutputOf<typeof endpoints.payoutTemplate.getPayoutTemplate>;
