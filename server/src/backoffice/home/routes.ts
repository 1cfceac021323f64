import { getHome } from '@sangam/contract/endpoints/home.ts';
import { type Route, viewerRoute } from '../../http/route.ts';
import { readHome } from './read-home.ts';

export const homeRoutes: readonly Route[] = [viewerRoute(getHome, readHome)];
