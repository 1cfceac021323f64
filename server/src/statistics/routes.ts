import { simpleStatistics } from '@sangam/contract/endpoints/order.ts';
import { getDurations, getTable, statisticsV2 } from '@sangam/contract/endpoints/statistics.ts';
import { type Route, viewerRoute } from '../http/route.ts';
import { readDurations, readStatisticsV2, readTable } from './table.ts';
import { todayAgainstYesterday } from './today.ts';

export const statisticsRoutes: readonly Route[] = [
  viewerRoute(getTable, readTable),
  viewerRoute(getDurations, readDurations),
  viewerRoute(statisticsV2, readStatisticsV2),
  viewerRoute(simpleStatistics, todayAgainstYesterday),
];
