import { exportList as exportEndpoint } from '@sangam/contract/endpoints/list.ts';
import { type Route, viewerRoute } from '../../http/route.ts';
import { exportList } from './export-list.ts';

/** The route that exports any of these routes that is a list. */
export function exportRoutes(lists: readonly Route[]): readonly Route[] {
  return [
    viewerRoute(exportEndpoint, (platform, viewer, input, caller) =>
      exportList(platform, viewer, lists, input, caller),
    ),
  ];
}
