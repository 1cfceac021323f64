import * as contract from '@sangam/contract/endpoints/test-order.ts';
import { type Route, viewerRoute, webhookRoute } from '../http/route.ts';
import { catchCallback } from './catch.ts';
import { payTestOrder } from './pay.ts';
import { listTestOrders, readTestOrder } from './read.ts';
import { signOrder } from './sign.ts';

export const testOrderRoutes: readonly Route[] = [
  viewerRoute(contract.signTestOrder, signOrder),
  viewerRoute(contract.getTestOrder, readTestOrder),
  viewerRoute(contract.getTestOrders, listTestOrders),
  viewerRoute(contract.payTestOrder, payTestOrder),
  webhookRoute(contract.catchTestCallback, catchCallback),
  webhookRoute(contract.catchTestCallbackQuery, catchCallback),
];
