import { getMerchantList } from '@sangam/contract/endpoints/party.ts';
import { type Route, viewerRoute } from '../http/route.ts';
import { listMerchants } from './list.ts';

export const merchantsRoutes: readonly Route[] = [viewerRoute(getMerchantList, listMerchants)];
