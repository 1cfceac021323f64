import { mpesaAccess } from '../accounts/mpesa-access.ts';
import { openPayers, transfersSentLast, walletAddress } from '../accounts/payers.ts';
import { gatewayAccess } from '../accounts/paying-gateway.ts';
import { USDT_PAYOUT } from '@sangam/contract/payouts.ts';
import type { Config } from '../platform/config.ts';
import type { Platform } from '../platform/platform.ts';
import { b2cAddresses } from './mpesa/paths.ts';
import { readResult } from './mpesa/results.ts';
import { createCashfree } from './gateway/cashfree.ts';
import { gatewayChannel, type Gateways } from './gateway/gateway-channel.ts';
import { createRazorpayX } from './gateway/razorpayx.ts';
import { mpesaPayouts } from './mpesa/b2c.ts';
import { createDaraja } from './mpesa/daraja.ts';
import { scriptPayouts } from './script/script-payouts.ts';
import type { PayoutChannel, PayoutChannels } from './payout-channel.ts';
import { usdtPayouts } from './usdt/payouts.ts';
import { createSignerClient } from './usdt/signer-client.ts';
import { createTronNode } from './usdt/tron-node.ts';

const GATEWAY_PAYOUT = 2010;
const MPESA_PAYOUT = 2060;

/** The built-in gateways, by provider. */
export function builtInGateways(config: Pick<Config, 'gatewayUrl' | 'cashfreeUrl'>): Gateways {
  return {
    razorpayx: createRazorpayX({ url: config.gatewayUrl }),
    cashfree: createCashfree({ url: config.cashfreeUrl }),
  };
}

/** The channels that pay without a person, by product. */
export function payoutChannels(platform: Platform): PayoutChannels {
  return new Map<number, PayoutChannel>([
    [
      GATEWAY_PAYOUT,
      gatewayChannel({
        gateways: builtInGateways(platform.config),
        script: scriptPayouts(platform),
        payers: () => openPayers(platform, platform.db, 'gateway', GATEWAY_PAYOUT),
        accessOf: (accountId) => gatewayAccess(platform, accountId),
      }),
    ],
    [
      MPESA_PAYOUT,
      mpesaPayouts({
        daraja: createDaraja({ url: platform.config.darajaUrl, clock: platform.clock }),
        payers: () => openPayers(platform, platform.db, 'mpesa', MPESA_PAYOUT),
        accessOf: (accountId) => mpesaAccess(platform, accountId),
        urlsOf: (accountId, key) => b2cAddresses(platform, accountId, key),
        resultOf: (key) => readResult(platform.db, key),
      }),
    ],
    ...usdtChannel(platform),
  ]);
}

/** Undefined where no signer is configured. */
function usdtChannel(platform: Platform): [number, PayoutChannel][] {
  const { config, clock, db } = platform;
  const { signer, tronUrl: url, tronApiKey: apiKey, usdtContract: contract } = config;
  if (!signer) return [];
  const channel = usdtPayouts({
    signer: createSignerClient(signer, clock),
    node: createTronNode({ url, apiKey, contract }),
    clock,
    wallets: () => openPayers(platform, db, 'usdt', USDT_PAYOUT),
    addressOf: (accountId) => walletAddress(db, accountId),
    sentLast: (accountId) => transfersSentLast(db, accountId),
  });
  return [[USDT_PAYOUT, channel]];
}
