import { getFrozenIpList, getIpList } from '@sangam/contract/endpoints/ip-analysis.ts';
import { getNoLoss, getNoLossLines, getNoLossSums } from '@sangam/contract/endpoints/no-loss.ts';
import { getOrderSource, getSourceFunnel } from '@sangam/contract/endpoints/order-source.ts';
import { whatIf } from '@sangam/contract/endpoints/what-if.ts';
import { type Route, viewerRoute } from '../http/route.ts';
import { listAbnormalIps, listIps } from './list-ips.ts';
import { listSources, sourceFunnel } from './list-sources.ts';
import { runWhatIf } from './what-if/run.ts';
import { listLines, listStatements, statementSums } from './no-loss/list.ts';

export const orderAnalysisRoutes: readonly Route[] = [
  viewerRoute(getIpList, listIps),
  viewerRoute(getFrozenIpList, listAbnormalIps),
  viewerRoute(getOrderSource, listSources),
  viewerRoute(getSourceFunnel, sourceFunnel),
  viewerRoute(getNoLoss, listStatements),
  viewerRoute(getNoLossSums, statementSums),
  viewerRoute(getNoLossLines, listLines),
  viewerRoute(whatIf, runWhatIf),
];
