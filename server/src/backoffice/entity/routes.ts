import { getEntity } from '@sangam/contract/endpoints/entity.ts';
import { type Route, viewerRoute } from '../../http/route.ts';
import { readEntity } from './get-entity.ts';

export const entityRoutes: readonly Route[] = [viewerRoute(getEntity, readEntity)];
