import { gatewayAccess, openGateway } from '../accounts/paying-gateway.ts';
import type { Config } from '../config.ts';
import type { Platform } from '../platform.ts';
import { createCashfree } from './gateway/cashfree.ts';
import { gatewayChannel, type Gateways } from './gateway/gateway-channel.ts';
import { createRazorpayX } from './gateway/razorpayx.ts';
import type { PayoutChannels } from './payout-channel.ts';

const GATEWAY_PAYOUT = 2010;

/** The gateways that are built in, by their maker. */
export function builtInGateways(config: Pick<Config, 'gatewayUrl' | 'cashfreeUrl'>): Gateways {
  return {
    razorpayx: createRazorpayX({ url: config.gatewayUrl }),
    cashfree: createCashfree({ url: config.cashfreeUrl }),
  };
}

/** What pays by itself, by product. */
export function payoutChannels(platform: Platform): PayoutChannels {
  return new Map([
    [
      GATEWAY_PAYOUT,
      gatewayChannel({
        gateways: builtInGateways(platform.config),
        openAccount: () => openGateway(platform.db, GATEWAY_PAYOUT),
        accessOf: (accountId) => gatewayAccess(platform, accountId),
      }),
    ],
  ]);
}
