import { anyTronAddress } from '../../../simulators/src/tron/node.ts';
import { sql } from '../db/database.ts';
import type { Platform } from '../platform.ts';
import { makeAccount } from './world.ts';

/** An address that takes USDT orders; it is online once it is watched. */
export async function makeUsdtAccount(
  platform: Platform,
  supplierId: bigint,
): Promise<{ readonly accountId: bigint; readonly address: string }> {
  const address = anyTronAddress();
  const { accountId } = await makeAccount(platform, {
    supplierId,
    monitorId: null,
    bank: 'TRC20',
    senderHeader: 'TRC20',
    vpa: null,
    products: [1045],
    maxAmount: 10n ** 12n,
  });
  await platform.db.query(sql`
    update accounts set kind = 'usdt', account_number = ${address} where id = ${accountId}`);
  return { accountId, address };
}

/** A wallet USDT payouts go out of. */
export async function makeUsdtWallet(
  platform: Platform,
  supplierId: bigint,
  address: string,
): Promise<bigint> {
  const { accountId } = await makeAccount(platform, {
    supplierId,
    monitorId: null,
    direction: 'out',
    bank: 'TRON',
    senderHeader: 'TRON',
    vpa: null,
    products: [2045],
    maxAmount: 10n ** 12n,
  });
  await platform.db.query(sql`
    update accounts set kind = 'usdt', account_number = ${address} where id = ${accountId}`);
  return accountId;
}
