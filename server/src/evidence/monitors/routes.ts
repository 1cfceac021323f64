import { heartbeat as contract } from '@sangam/contract/endpoints/outside.ts';
import * as contractOf from '@sangam/contract/endpoints/monitor.ts';
import { type Route, monitorRoute, viewerRoute } from '../../http/route.ts';
import { takeCommands } from './ask-monitor.ts';
import { heartbeat } from './heartbeat.ts';
import { clearLog, listLog } from './list-log.ts';
import { enableMonitor, listMonitors, registerMonitor, renewSecret, resend } from './monitors.ts';
import { askScriptRelease, currentScript, listScripts, saveScript } from './scripts.ts';

export const monitoringRoutes: readonly Route[] = [
  monitorRoute(contract, heartbeat),
  monitorRoute(contractOf.monitorCommands, takeCommands),
  monitorRoute(contractOf.monitorScript, currentScript),
  viewerRoute(contractOf.getMonitorLogList, listLog),
  viewerRoute(contractOf.clearMonitorLog, clearLog),
  viewerRoute(contractOf.getMonitorList, listMonitors),
  viewerRoute(contractOf.registerMonitor, registerMonitor),
  viewerRoute(contractOf.renewMonitorSecret, renewSecret),
  viewerRoute(contractOf.enableMonitor, enableMonitor),
  viewerRoute(contractOf.askMonitorResend, resend),
  viewerRoute(contractOf.getMonitorScriptList, listScripts),
  viewerRoute(contractOf.saveMonitorScript, saveScript),
  viewerRoute(contractOf.releaseMonitorScript, askScriptRelease),
];
