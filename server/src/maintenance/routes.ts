import * as contract from '@sangam/contract/endpoints/maintenance.ts';
import { type Route, viewerRoute } from '../http/route.ts';
import { runJob } from './jobs.ts';
import { endMode, getMode, setMode } from './mode.ts';
import { listNodes, listSettingNodes } from './nodes.ts';
import { previewRepair, repair } from './repair.ts';
import { readSystemState } from './state.ts';

export const maintenanceRoutes: readonly Route[] = [
  viewerRoute(contract.previewResourcePool, (platform) => previewRepair(platform, 'pool')),
  viewerRoute(contract.resetResourcePool, (platform, viewer, { reason }) =>
    repair(platform, viewer, 'pool', reason),
  ),
  viewerRoute(contract.previewFix, (platform) => previewRepair(platform, 'everything')),
  viewerRoute(contract.fixResources, (platform, viewer, { reason }) =>
    repair(platform, viewer, 'everything', reason),
  ),
  viewerRoute(contract.getNodes, listNodes),
  viewerRoute(contract.getSettingNodes, listSettingNodes),
  viewerRoute(contract.getSystemState, readSystemState),
  viewerRoute(contract.runJob, runJob),
  viewerRoute(contract.getMaintenanceMode, getMode),
  viewerRoute(contract.setMaintenanceMode, setMode),
  viewerRoute(contract.endMaintenanceMode, endMode),
];
