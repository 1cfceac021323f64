import { supplement as supplementEndpoint } from '@sangam/contract/endpoints/order.ts';
import { payerPaid, payerPicture, report } from '@sangam/contract/endpoints/outside.ts';
import { monitorRoute, publicRoute, viewerRoute, type Route } from '../../http/route.ts';
import { isRefusal, refuse } from '../../platform/refusal.ts';
import { submitUtr } from './payer-utr.ts';
import { receiveMessages } from './receive.ts';
import { supplement } from './supplement.ts';
import { reportByPicture } from './told-by-picture.ts';

export const matchingRoutes: Route[] = [
  monitorRoute(report, async (platform, monitor, input) => {
    const results = await receiveMessages(
      platform,
      monitor,
      input.messages.map((message) => ({
        ...message,
        receivedAt: new Date(message.receivedAt),
        accountHint: message.accountHint,
      })),
    );
    return {
      results: results.map(({ messageId, state, orderId }) => ({
        messageId,
        state,
        ...(orderId === null ? {} : { orderCode: String(orderId) }),
      })),
    };
  }),

  publicRoute(payerPicture, (platform, input, caller) => {
    const orderId = platform.vault.orderOfPayToken(input.token);
    if (orderId === undefined) return Promise.resolve(refuse('notFound'));
    const picture = { bytes: Buffer.from(input.picture, 'base64'), utr: input.utr };
    return reportByPicture(platform, orderId, picture, { kind: 'payer', id: null, ip: caller.ip });
  }),

  publicRoute(payerPaid, async (platform, input, caller) => {
    const recorded = await submitUtr(platform, input.token, input.utr, caller.ip);
    return isRefusal(recorded) ? recorded : { state: recorded.state };
  }),

  viewerRoute(supplementEndpoint, async (platform, viewer, input) => {
    const order = await supplement(platform, viewer, {
      orderId: BigInt(input.orderCode),
      version: input.version,
      utr: input.utr,
      offset: input.isOffsetReplenishmentOrder,
    });
    return isRefusal(order) ? order : { orderCode: String(order.id), orderStatusId: order.status };
  }),
];
