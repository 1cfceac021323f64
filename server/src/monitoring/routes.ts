import { heartbeat as contract } from '@sangam/contract/endpoints/outside.ts';
import { type Route, monitorRoute } from '../http/route.ts';
import { heartbeat } from './heartbeat.ts';

export const monitoringRoutes: readonly Route[] = [monitorRoute(contract, heartbeat)];
