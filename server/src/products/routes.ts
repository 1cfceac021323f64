import { getOptions } from '@sangam/contract/endpoints/party.ts';
import { type Route, viewerRoute } from '../http/route.ts';
import { filterOptions } from './options.ts';

export const optionsRoutes: readonly Route[] = [viewerRoute(getOptions, filterOptions)];
