import type { MpesaType } from '@sangam/contract/account-kinds.ts';
import { sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { makeAccount } from './world.ts';

export const MPESA_KEYS = { keyId: 'consumer', keySecret: 'consumer-secret' };

/** An M-Pesa short code whose API we may use. It is online once it is watched. */
export async function makeMpesaAccount(
  platform: Platform,
  options: {
    readonly supplierId: bigint;
    readonly shortCode: string;
    readonly type: MpesaType;
    readonly direction: 'in' | 'out';
  },
): Promise<bigint> {
  const { supplierId, shortCode, type, direction } = options;
  const { accountId } = await makeAccount(platform, {
    supplierId,
    monitorId: null,
    direction,
    bank: 'M-Pesa',
    senderHeader: 'MPESA',
    vpa: null,
    products: [direction === 'in' ? 1060 : 2060],
  });
  const credentials = platform.vault.seal(
    JSON.stringify({
      ...MPESA_KEYS,
      passkey: 'passkey',
      initiatorName: 'initiator',
      securityCredential: 'sealed-by-safaricom',
    }),
    ['accounts.credentials', accountId],
  );
  await platform.db.query(sql`
    update accounts set kind = 'mpesa', account_number = ${shortCode}, mpesa_type = ${type}, country = 'KE',
      credentials = ${credentials}, credentials_at = ${platform.clock.now()}
    where id = ${accountId}`);
  return accountId;
}
