import type { GatewayProvider } from '@sangam/contract/gateways.ts';
import type { Payer } from '../accounts/payers.ts';
import type { PayoutChannels } from '../channels/payout-channel.ts';
import { sql } from '../platform/db/database.ts';
import { createDispatcher } from '../payout/dispatch.ts';
import type { Platform } from '../platform/platform.ts';
import { GATEWAY_PAYOUT } from './payouts.ts';
import { makeAccount } from './world.ts';

export const GATEWAY_KEYS = {
  keyId: 'rzp_test_key',
  keySecret: 'rzp_test_secret',
  webhookSecret: 'whsec_test',
};

/** A gateway account as if a person had chosen it, whatever other limits apply. */
export function payerWithoutLimits(id: bigint): Payer {
  return {
    id,
    accountNumber: '',
    minAmount: 0n,
    maxAmount: 10n ** 15n,
    merchantWhitelist: null,
    dailyCountLimit: null,
    dailyAmountLimit: null,
  };
}

/** A gateway account that pays, with its credentials. */
export async function makeGatewayAccount(
  platform: Platform,
  supplierId: bigint,
  provider: GatewayProvider = 'razorpayx',
): Promise<bigint> {
  const { accountId } = await makeAccount(platform, {
    supplierId,
    monitorId: null,
    direction: 'out',
    bank: provider,
    senderHeader: provider.toUpperCase(),
    vpa: null,
    products: [GATEWAY_PAYOUT],
  });
  await platform.db.query(sql`
    update accounts set kind = 'gateway', credentials = ${platform.vault.seal(JSON.stringify(GATEWAY_KEYS), ['accounts.credentials', accountId])},
      credentials_at = ${platform.clock.now()}, gateway_provider = ${provider}
    where id = ${accountId}`);
  return accountId;
}

/** Sends the waiting payouts and waits for every answer. Returns how many it sent. */
export async function dispatchWaiting(platform: Platform, channels: PayoutChannels): Promise<number> {
  const dispatcher = createDispatcher(platform, channels);
  const begun = await dispatcher.round();
  await dispatcher.settled();
  return begun;
}
