import { gatewayAccess, openGateway } from '../accounts/paying-gateway.ts';
import type { Platform } from '../platform.ts';
import { createRazorpayX } from './gateway/razorpayx.ts';
import type { PayoutChannels } from './payout-channel.ts';

const GATEWAY_PAYOUT = 2010;

/** The gateways that are built in. */
export function payoutChannels(platform: Platform): PayoutChannels {
  return new Map([
    [
      GATEWAY_PAYOUT,
      createRazorpayX({
        url: platform.config.gatewayUrl,
        openAccount: () => openGateway(platform.db, GATEWAY_PAYOUT),
        accessOf: (accountId) => gatewayAccess(platform, accountId),
      }),
    ],
  ]);
}
