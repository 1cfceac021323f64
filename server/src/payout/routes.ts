import {
  acceptProof as acceptProofEndpoint,
  cancelClaim as cancelClaimEndpoint,
  cancelPayout,
  claimOrder,
  confirmPaid as confirmPaidEndpoint,
  getPayoutDetail,
  getPayoutList,
  getPayoutStatusSummary,
  releasePayout as releaseEndpoint,
} from '@sangam/contract/endpoints/payout.ts';
import { gatewayWebhook, getGateways } from '@sangam/contract/endpoints/gateway.ts';
import { type Route, viewerRoute, webhookRoute } from '../http/route.ts';
import { isRefusal, type Refusal } from '../platform/refusal.ts';
import { acceptProof } from './accept-proof.ts';
import { cancel } from './cancel.ts';
import { cancelClaim } from './cancel-claim.ts';
import { claim } from './claim.ts';
import { confirmPaid } from './confirm-paid.ts';
import { payoutDetail } from './detail.ts';
import { takeGatewayEvent } from './gateway-webhook.ts';
import { listGateways } from './list-gateways.ts';
import { listPayouts, summarisePayouts } from './list.ts';
import type { PayoutOrder } from './order.ts';
import { releasePayout } from './release.ts';

const done = (order: PayoutOrder | Refusal) =>
  isRefusal(order) ? order : { orderCode: String(order.id), orderStatusId: order.status };

export const payoutRoutes: readonly Route[] = [
  webhookRoute(gatewayWebhook, (platform, call) => takeGatewayEvent(platform, call)),
  viewerRoute(getGateways, listGateways),
  viewerRoute(getPayoutList, listPayouts),
  viewerRoute(getPayoutStatusSummary, summarisePayouts),
  viewerRoute(getPayoutDetail, (platform, viewer, input) =>
    payoutDetail(platform, viewer, BigInt(input.orderCode)),
  ),
  viewerRoute(claimOrder, async (platform, viewer, input) =>
    done(await claim(platform, viewer, BigInt(input.orderId))),
  ),
  viewerRoute(cancelClaimEndpoint, async (platform, viewer, input) =>
    done(await cancelClaim(platform, viewer, BigInt(input.orderId))),
  ),
  viewerRoute(confirmPaidEndpoint, async (platform, viewer, input) =>
    done(await confirmPaid(platform, viewer, { orderId: BigInt(input.orderCode), utr: input.utr })),
  ),
  viewerRoute(acceptProofEndpoint, async (platform, viewer, input) =>
    done(await acceptProof(platform, viewer, { orderId: BigInt(input.orderCode), reason: input.reason })),
  ),
  viewerRoute(releaseEndpoint, async (platform, viewer, { orderCode, code }) =>
    releasePayout(platform, viewer, { orderId: BigInt(orderCode), code }),
  ),
  viewerRoute(cancelPayout, async (platform, viewer, input) =>
    done(await cancel(platform, viewer, BigInt(input.orderCode))),
  ),
];
