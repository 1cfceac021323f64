import { randomUUID } from 'node:crypto';
import type { signTestOrder } from '@sangam/contract/endpoints/test-order.ts';
import { createOrder } from '@sangam/contract/endpoints/outside.ts';
import { merchantAmountFactor } from '@sangam/contract/money.ts';
import { callLine } from '@sangam/contract/sign-types.ts';
import { sign, type SignType } from '@sangam/contract/signature.ts';
import type { z } from 'zod';
import { newToken } from '../access/secret-token.ts';
import { TEST_NUMBER } from '../collection/test-orders.ts';
import { audit } from '../platform/audit/record.ts';
import { sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { publicBase } from '../platform/public-base.ts';
import { refuse, type Refusal, wrongInput } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { productsById } from '../terms/products/products.ts';

/**
 * Registers a test order and signs the call that creates it, as its merchant would. The console then sends the call to the merchant API,
 * and the real code runs. Payouts are refused. A value with `&` is refused as well (400): in the signed string it would begin a new field,
 * and the signature would then be valid for a payout.
 */
export async function signOrder(
  platform: Platform,
  viewer: Viewer,
  { merchantId, productId, amount, userName, notifyUrl }: z.output<typeof signTestOrder.input>,
): Promise<z.input<typeof signTestOrder.output> | Refusal> {
  const [merchant] = await platform.db.query<{ id: bigint; signType: SignType; secret: Buffer }>(sql`
    select id, sign_type as "signType", secret from merchants where id = ${merchantId}`);
  if (!merchant) return refuse('notFound');
  const product = (await productsById(platform)).get(productId);
  if (product?.direction !== 'in') return refuse('productNotEnabled');
  const cut = Object.entries({ userName, notifyUrl }).filter(([, value]) => value?.includes('&'));
  if (cut.length > 0) return wrongInput(...cut.map(([name]) => name));
  const token = newToken();
  const mchOrderNo = `${TEST_NUMBER}${platform.ids.next()}`;
  const at = platform.clock.now();
  const fields: Record<string, string> = {
    mchId: String(merchant.id),
    productId: String(productId),
    mchOrderNo,
    amount: String(amount),
    notifyUrl: notifyUrl ?? `${await publicBase(platform)}/v1.0/testOrder/catch/${token}`,
    subject: 'Test order',
    ...(userName ? { userName } : {}),
    ...(merchant.signType === 'md5' ? {} : { timestamp: String(at.getTime()), nonce: randomUUID() }),
  };
  await platform.db.tx(async (tx) => {
    await tx.query(sql`
      insert into test_orders (merchant_id, mch_order_no, catch_token, created_by, created_at)
      values (${merchant.id}, ${mchOrderNo}, ${token}, ${viewer.userId}, ${at})`);
    await audit(platform, tx, {
      userId: viewer.userId,
      action: 'testOrder.sign',
      subject: `merchant:${merchant.id}`,
      after: {
        mchOrderNo,
        productId,
        amount: String(BigInt(amount) * merchantAmountFactor(product.currency)),
        currency: product.currency,
        notifyUrl: notifyUrl ?? 'catcher',
      },
      ip: viewer.ip,
    });
  });
  const secret = platform.vault.open(merchant.secret, ['merchants.secret', merchant.id]);
  return {
    mchOrderNo,
    fields: { ...fields, sign: sign(fields, merchant.signType, secret, callLine(createOrder)) },
  };
}
