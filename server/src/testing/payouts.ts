import type { Currency } from '@sangam/contract/money.ts';
import { post } from '../ledger/post.ts';
import { APPROVAL_HANDLERS } from '../app/approval-kinds.ts';
import { decide } from '../approvals/decide.ts';
import { createPayouts, type NewPayout } from '../payout/create.ts';
import type { PayoutOrder } from '../payout/order.ts';
import { reject } from '../payout/reject.ts';
import { sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal } from '../platform/refusal.ts';
import { makeMerchant, makeSupplier, makeUser, viewerOf } from './world.ts';

const BANK_PAYOUT = 2001;
export const GATEWAY_PAYOUT = 2010;
const PAYOUT_PRODUCTS = [BANK_PAYOUT, GATEWAY_PAYOUT, 2012, 2045, 2060];

/** A merchant with money to pay out, and two suppliers who may pay it. An agent brought the first supplier. */
export interface PayoutShop {
  readonly merchantId: bigint;
  readonly supplierId: bigint;
  readonly otherSupplierId: bigint;
  readonly agentId: bigint;
  /** The user id of an admin. The user who asks for an approval must exist. */
  readonly adminId: bigint;
  readonly superAdminId: bigint;
}

export async function makePayoutShop(platform: Platform, funds = 1_000_000_00n): Promise<PayoutShop> {
  const { merchantId } = await makeMerchant(platform, { products: PAYOUT_PRODUCTS });
  const supplierOptions = { products: [BANK_PAYOUT, 2012], deposit: 0n };
  const { supplierId: agentId } = await makeSupplier(platform, { products: [], deposit: 0n });
  const { supplierId } = await makeSupplier(platform, { ...supplierOptions, agentId });
  const { supplierId: otherSupplierId } = await makeSupplier(platform, supplierOptions);
  if (funds > 0n) await giveFunds(platform, merchantId, 'INR', funds);
  const { id: adminId } = await makeUser(platform, { role: 'admin' });
  const { id: superAdminId } = await makeUser(platform, { role: 'superAdmin' });
  return { merchantId, supplierId, otherSupplierId, agentId, adminId, superAdminId };
}

/** Credits a merchant's available balance from outside. */
export async function giveFunds(
  platform: Platform,
  merchantId: bigint,
  currency: Currency,
  amount: bigint,
): Promise<void> {
  const [outcome] = await platform.db.tx((tx) =>
    post(platform, tx, [
      {
        key: `topUp/${platform.ids.next()}`,
        kind: 'topUp',
        orderId: null,
        currency,
        legs: [
          { ownerKind: 'merchant', ownerId: merchantId, bucket: 'available', amount },
          { ownerKind: 'platform', ownerId: 0n, bucket: 'external', amount: -amount },
        ],
      },
    ]),
  );
  if (outcome !== 'posted') throw new Error(`top-up was ${outcome}`);
}

let made = 0;

export function newPayout(merchantId: bigint, fields: Partial<NewPayout> = {}): NewPayout {
  made += 1;
  return {
    merchantId,
    mchOrderNo: `W${made}`,
    productId: BANK_PAYOUT,
    amount: 500_00n,
    payee: {
      userName: 'Asha Rao',
      cardNumber: '50100123456789',
      ifscCode: 'HDFC0000521',
      bankName: 'HDFC Bank',
    },
    notifyUrl: 'http://127.0.0.1:9/notify',
    clientIp: '10.0.0.1',
    param1: null,
    param2: null,
    callerIp: '127.0.0.1',
    ...fields,
  };
}

/** Creates one payout that must succeed. */
export async function payOut(
  platform: Platform,
  merchantId: bigint,
  fields: Partial<NewPayout> = {},
): Promise<PayoutOrder> {
  const [order] = await createPayouts(platform, [newPayout(merchantId, fields)]);
  if (!order || isRefusal(order)) throw new Error(`payout refused: ${JSON.stringify(order)}`);
  return order;
}

/**
 * The supplier says that a payout which may have been paid was not paid, and a second person approves. The payout then waits for other
 * suppliers.
 */
export async function handBack(
  platform: Platform,
  { supplierId, adminId }: Pick<PayoutShop, 'supplierId' | 'adminId'>,
  orderId: bigint,
): Promise<void> {
  const [supplier] = await platform.db.query<{ userId: bigint }>(
    sql`select user_id as "userId" from suppliers where id = ${supplierId}`,
  );
  const viewer = viewerOf(platform, { role: 'supplier', supplierId, ...supplier });
  const asked = await reject(platform, viewer, { orderId, reason: 'not paid' });
  if (!isRefusal(asked) || asked.code !== 'approvalNeeded') throw new Error('handed back by one person');
  const id = BigInt((asked.data as { readonly todoId: string }).todoId);
  const admin = viewerOf(platform, { role: 'admin', userId: adminId });
  const agreed = await decide(platform, APPROVAL_HANDLERS, admin, { id, approve: true });
  if (isRefusal(agreed)) throw new Error(`not handed back: ${agreed.code}`);
}
