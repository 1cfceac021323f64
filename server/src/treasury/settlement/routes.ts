import * as settlement from '@sangam/contract/endpoints/settlement.ts';
import { type Route, viewerRoute } from '../../http/route.ts';
import { listRows, listRuns } from './list.ts';
import { preview } from './preview.ts';
import { startRun } from './run.ts';

export const settlementRoutes: readonly Route[] = [
  viewerRoute(settlement.previewSettlement, preview),
  viewerRoute(settlement.startSettlementRun, startRun),
  viewerRoute(settlement.getSettlementRuns, listRuns),
  viewerRoute(settlement.getSettlementRows, listRows),
];
