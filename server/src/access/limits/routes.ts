import {
  getLimits as getEndpoint,
  updateLimits as updateEndpoint,
} from '@sangam/contract/endpoints/merchant.ts';
import { type Route, viewerRoute } from '../../http/route.ts';
import { getLimits, updateLimits } from './update-limits.ts';

export const merchantLimitRoutes: readonly Route[] = [
  viewerRoute(getEndpoint, getLimits),
  viewerRoute(updateEndpoint, updateLimits),
];
