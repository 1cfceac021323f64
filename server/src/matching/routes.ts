import { report } from '@sangam/contract/endpoints/outside.ts';
import { monitorRoute, type Route } from '../http/route.ts';
import { receiveMessages } from './receive.ts';

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
];
