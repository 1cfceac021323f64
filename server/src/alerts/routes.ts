import * as alert from '@sangam/contract/endpoints/alert.ts';
import { type Route, viewerRoute } from '../http/route.ts';
import { acknowledgeAlert } from './acknowledge.ts';
import { listAlerts } from './list.ts';

export const alertRoutes: readonly Route[] = [
  viewerRoute(alert.getAlerts, listAlerts),
  viewerRoute(alert.acknowledgeAlert, (platform, viewer, { id }) =>
    acknowledgeAlert(platform, viewer, BigInt(id)),
  ),
];
