import { getOrderProfile } from '@sangam/contract/endpoints/profile.ts';
import { type Route, viewerRoute } from '../../http/route.ts';
import { orderProfile } from './order-profile.ts';

export const analysisRoutes: readonly Route[] = [viewerRoute(getOrderProfile, orderProfile)];
