import { getFrozenIpList, getIpList } from '@sangam/contract/endpoints/ip-analysis.ts';
import { type Route, viewerRoute } from '../http/route.ts';
import { listAbnormalIps, listIps } from './list-ips.ts';

export const orderAnalysisRoutes: readonly Route[] = [
  viewerRoute(getIpList, listIps),
  viewerRoute(getFrozenIpList, listAbnormalIps),
];
