import {
  correctOffset,
  getLostMoney,
  getLostOrders,
  getLostPairs,
  getOrderMoney,
  joinLost,
  settleOutside as settleOutsideEndpoint,
} from '@sangam/contract/endpoints/lost.ts';
import { viewerRoute, type Route } from '../../http/route.ts';
import { isRefusal } from '../../platform/refusal.ts';
import { askOffsetCorrection } from './correct-offset.ts';
import { joinLostMoney } from './join.ts';
import { listLostMoney, listLostOrders } from './list.ts';
import { lostPairs, moneyOfOrder } from './pairs.ts';
import { settleOutside } from './settle-outside.ts';

export const lostRoutes: readonly Route[] = [
  viewerRoute(getLostMoney, listLostMoney),
  viewerRoute(getLostOrders, listLostOrders),
  viewerRoute(getLostPairs, lostPairs),
  viewerRoute(getOrderMoney, moneyOfOrder),
  viewerRoute(settleOutsideEndpoint, (platform, viewer, { messageId, reason }) =>
    settleOutside(platform, viewer, { messageId: BigInt(messageId), reason }),
  ),
  viewerRoute(correctOffset, (platform, viewer, { messageId, reason }) =>
    askOffsetCorrection(platform, viewer, { messageId: BigInt(messageId), reason }),
  ),
  viewerRoute(joinLost, async (platform, viewer, input) => {
    const order = await joinLostMoney(platform, viewer, {
      orderId: BigInt(input.orderCode),
      messageId: BigInt(input.messageId),
      utr: input.utr,
    });
    return isRefusal(order) ? order : { orderCode: String(order.id), orderStatusId: order.status };
  }),
];
