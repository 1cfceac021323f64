import * as archive from '@sangam/contract/endpoints/archive.ts';
import { type Route, viewerRoute } from '../http/route.ts';
import { askBack } from './ask-back.ts';
import { findOrders, listArchives, readOrder } from './list.ts';

export const archiveRoutes: readonly Route[] = [
  viewerRoute(archive.getArchives, listArchives),
  viewerRoute(archive.findArchived, findOrders),
  viewerRoute(archive.getArchivedOrder, readOrder),
  viewerRoute(archive.restoreArchived, askBack),
];
