import * as party from '@sangam/contract/endpoints/party.ts';
import { type Route, viewerRoute } from '../http/route.ts';
import { countResources, getResource } from './detail.ts';
import { enableResource } from './enable-resource.ts';
import { listResources } from './list.ts';

export const accountsRoutes: readonly Route[] = [
  viewerRoute(party.getResourceList, listResources),
  viewerRoute(party.getResourceDetailInfo, getResource),
  viewerRoute(party.getResourceStaticInfo, countResources),
  viewerRoute(party.enableResource, enableResource),
];
