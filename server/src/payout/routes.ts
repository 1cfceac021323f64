import {
  acceptProof as acceptProofEndpoint,
  addSlip as addSlipEndpoint,
  cancelClaim as cancelClaimEndpoint,
  cancelPayout,
  claimOrder,
  confirmPaid as confirmPaidEndpoint,
  getPaying,
  getPayoutDetail,
  getPayoutList,
  getPayoutStatusSummary,
  getSlips,
  releasePayout as releaseEndpoint,
} from '@sangam/contract/endpoints/payout.ts';
import { gatewayWebhook, getGateways } from '@sangam/contract/endpoints/gateway.ts';
import { type Route, viewerRoute, webhookRoute } from '../http/route.ts';
import type { ChosenOrder } from '../history/row-version.ts';
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
import { readPaying } from './paying.ts';
import { releasePayout } from './release.ts';
import { addSlip, readSlips } from './slips.ts';

const done = (order: PayoutOrder | Refusal) =>
  isRefusal(order) ? order : { orderCode: String(order.id), orderStatusId: order.status };

const subjectOf = (input: {
  readonly orderCode: string;
  readonly version?: string | undefined;
}): ChosenOrder => ({
  orderId: BigInt(input.orderCode),
  version: input.version,
});

export const payoutRoutes: readonly Route[] = [
  webhookRoute(gatewayWebhook, (platform, call) => takeGatewayEvent(platform, call)),
  viewerRoute(getGateways, listGateways),
  viewerRoute(getPayoutList, listPayouts),
  viewerRoute(getPayoutStatusSummary, summarisePayouts),
  viewerRoute(getPayoutDetail, (platform, viewer, input) =>
    payoutDetail(platform, viewer, BigInt(input.orderCode)),
  ),
  viewerRoute(claimOrder, async (platform, viewer, input) =>
    done(await claim(platform, viewer, { orderId: BigInt(input.orderId), version: input.version })),
  ),
  viewerRoute(cancelClaimEndpoint, async (platform, viewer, input) =>
    done(await cancelClaim(platform, viewer, { orderId: BigInt(input.orderId), version: input.version })),
  ),
  viewerRoute(confirmPaidEndpoint, async (platform, viewer, input) =>
    done(
      await confirmPaid(platform, viewer, {
        ...subjectOf(input),
        utr: input.utr,
        accountId: input.accountId === undefined ? undefined : BigInt(input.accountId),
      }),
    ),
  ),
  viewerRoute(getPaying, (platform, viewer, input) => readPaying(platform, viewer, BigInt(input.orderCode))),
  viewerRoute(addSlipEndpoint, (platform, viewer, input) =>
    addSlip(platform, viewer, BigInt(input.orderCode), Buffer.from(input.picture, 'base64')),
  ),
  viewerRoute(getSlips, (platform, viewer, input) => readSlips(platform, viewer, BigInt(input.orderCode))),
  viewerRoute(acceptProofEndpoint, async (platform, viewer, input) =>
    done(await acceptProof(platform, viewer, { ...subjectOf(input), reason: input.reason })),
  ),
  viewerRoute(releaseEndpoint, async (platform, viewer, input) =>
    releasePayout(platform, viewer, { ...subjectOf(input), code: input.code }),
  ),
  viewerRoute(cancelPayout, async (platform, viewer, input) =>
    done(await cancel(platform, viewer, subjectOf(input))),
  ),
];
