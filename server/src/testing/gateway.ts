import { sql } from '../db/database.ts';
import type { Platform } from '../platform.ts';
import { GATEWAY_PAYOUT } from './payouts.ts';
import { makeAccount } from './world.ts';

export const GATEWAY_KEYS = { keyId: 'rzp_test_key', keySecret: 'rzp_test_secret' };

/** A gateway account that pays, with its credentials. */
export async function makeGatewayAccount(platform: Platform, supplierId: bigint): Promise<bigint> {
  const { accountId } = await makeAccount(platform, {
    supplierId,
    monitorId: null,
    direction: 'out',
    bank: 'RazorpayX',
    senderHeader: 'RAZORPAYX',
    vpa: null,
    products: [GATEWAY_PAYOUT],
  });
  await platform.db.query(sql`
    update accounts set kind = 'gateway', credentials = ${platform.vault.seal(JSON.stringify(GATEWAY_KEYS))},
      credentials_at = ${platform.clock.now()}
    where id = ${accountId}`);
  return accountId;
}
