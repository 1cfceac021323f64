import { anyTronAddress } from '@sangam/simulators/tron/node.ts';
import { sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { makeAccount } from './world.ts';

/** An address that takes USDT orders. It is online once it is watched. */
export async function makeUsdtAccount(
  platform: Platform,
  supplierId: bigint,
): Promise<{ readonly accountId: bigint; readonly address: string }> {
  const address = anyTronAddress();
  const accountId = await makeUsdt(platform, { supplierId, direction: 'in', address, product: 1045 });
  return { accountId, address };
}

/** A wallet that pays USDT payouts. */
export function makeUsdtWallet(platform: Platform, supplierId: bigint, address: string): Promise<bigint> {
  return makeUsdt(platform, { supplierId, direction: 'out', address, product: 2045 });
}

async function makeUsdt(
  platform: Platform,
  made: {
    readonly supplierId: bigint;
    readonly direction: 'in' | 'out';
    readonly address: string;
    readonly product: number;
  },
): Promise<bigint> {
  const { accountId } = await makeAccount(platform, {
    supplierId: made.supplierId,
    direction: made.direction,
    monitorId: null,
    bank: 'TRC20',
    senderHeader: 'TRC20',
    vpa: null,
    products: [made.product],
    maxAmount: 10n ** 12n,
  });
  await platform.db.query(sql`
    update accounts set kind = 'usdt', account_number = ${made.address} where id = ${accountId}`);
  return accountId;
}
