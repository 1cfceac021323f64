import { exemptIp, freezeIp, unfreezeIp } from '@sangam/contract/endpoints/ip-analysis.ts';
import { type Route, viewerRoute } from '../http/route.ts';
import { exempt, freeze, unfreeze } from './freeze.ts';

export const trafficRoutes: readonly Route[] = [
  viewerRoute(freezeIp, freeze),
  viewerRoute(unfreezeIp, unfreeze),
  viewerRoute(exemptIp, exempt),
];
