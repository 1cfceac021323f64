import type { Call, endpoints } from 'virtual:endpoints';
import type { RowOf } from '../http/call-types.ts';

type OutputOf<Definition> = Definition extends Call<infer _, infer Output> ? Output : never;

/** A batch of payouts as its list has it. */
export type Batch = RowOf<typeof endpoints.payoutBatch.getPayoutBatchList>;
export type BatchDetail = OutputOf<typeof endpoints.payoutBatch.getPayoutBatchDetail>;
export type BatchOrder = BatchDetail['orders'][number];
export type BatchPreview = OutputOf<typeof endpoints.payoutBatch.previewPayoutBatch>;
/** What came of each row of a press. */
export type RowResults = OutputOf<typeof endpoints.payoutBatch.confirmPayoutBatch>['list'];
export type Template = OutputOf<typeof endpoints.payoutTemplate.getPayoutTemplate>;
