import { getFrozenIpList, getIpList } from '@sangam/contract/endpoints/ip-analysis.ts';
import { getOrderSource, getSourceFunnel } from '@sangam/contract/endpoints/order-source.ts';
import { type Route, viewerRoute } from '../http/route.ts';
import { listAbnormalIps, listIps } from './list-ips.ts';
import { listSources, sourceFunnel } from './list-sources.ts';

export const orderAnalysisRoutes: readonly Route[] = [
  viewerRoute(getIpList, listIps),
  viewerRoute(getFrozenIpList, listAbnormalIps),
  viewerRoute(getOrderSource, listSources),
  viewerRoute(getSourceFunnel, sourceFunnel),
];
