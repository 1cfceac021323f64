import {
  freeResource,
  getDetail,
  getOrderAllocateInfo,
  getOrderMarkList,
  getPictures,
  getStatusSummary,
} from '@sangam/contract/endpoints/order.ts';
import { payerName, payInDemo, payPage, payPicture } from '@sangam/contract/endpoints/outside.ts';
import { marksFor } from '@sangam/contract/orders.ts';
import { publicRoute, viewerRoute, type Route } from '../http/route.ts';
import { isRefusal, type Refusal } from '../platform/refusal.ts';
import { TEXTS } from '../platform/texts.ts';
import { isStaff } from '../platform/viewer.ts';
import { allocationOf, orderDetail } from './detail.ts';
import { freeResource as free } from './free-resource.ts';
import { summariseOrders } from './list.ts';
import type { CollectionOrder } from './order.ts';
import { payInDemo as pay, readPayPage, readPayPicture } from './pay-page.ts';
import { submitPayerName } from './payer-name.ts';
import { readPictures } from './pictures.ts';

const done = (order: CollectionOrder | Refusal) =>
  isRefusal(order) ? order : { orderCode: String(order.id), orderStatusId: order.status };

export const collectionRoutes: Route[] = [
  viewerRoute(getStatusSummary, summariseOrders),
  viewerRoute(getDetail, (platform, viewer, input) => orderDetail(platform, viewer, BigInt(input.orderCode))),
  viewerRoute(getOrderAllocateInfo, (platform, viewer, input) =>
    allocationOf(platform, viewer, BigInt(input.orderCode)),
  ),
  viewerRoute(getPictures, (platform, viewer, input) =>
    readPictures(platform, viewer, BigInt(input.orderCode)),
  ),
  viewerRoute(getOrderMarkList, async (_platform, viewer) => ({
    list: marksFor(isStaff(viewer)).map((id) => ({ id, name: TEXTS[viewer.locale].orderMark[id] })),
  })),
  viewerRoute(freeResource, async (platform, viewer, input) =>
    done(
      await free(platform, viewer, {
        orderId: BigInt(input.orderCode),
        version: input.version,
        offset: input.isOffsetReplenishmentOrder,
      }),
    ),
  ),
  publicRoute(payPage, (platform, input, caller) => readPayPage(platform, input.token, caller.ip)),
  publicRoute(payerName, (platform, input, caller) =>
    submitPayerName(platform, input.token, input.name, caller.ip),
  ),
  publicRoute(payInDemo, (platform, { token, how }, caller) => pay(platform, token, how, caller.ip)),
  publicRoute(payPicture, (platform, input, caller) => readPayPicture(platform, input.token, caller.ip)),
];
