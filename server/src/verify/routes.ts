import { getVerifyRuns } from '@sangam/contract/endpoints/fund.ts';
import { type Route, viewerRoute } from '../http/route.ts';
import { listVerifyRuns } from './list.ts';

export const verifyRoutes: readonly Route[] = [viewerRoute(getVerifyRuns, listVerifyRuns)];
