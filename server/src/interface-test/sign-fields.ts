import { randomUUID } from 'node:crypto';
import { maskedSigningString, sign } from '@sangam/contract/signature.ts';
import { audit } from '../audit/record.ts';
import type { Platform } from '../platform.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import type { Viewer } from '../viewer.ts';
import { ownMerchant } from './own-merchant.ts';

interface Signed {
  readonly fields: Record<string, string>;
  readonly stringToSign: string;
  readonly sign: string;
}

/**
 * Signs fields in a merchant's own name, so that an integrator sees what is right. Its second-level password stands
 * before it: what is signed here may be sent as an order.
 */
export async function signFields(
  platform: Platform,
  viewer: Viewer,
  input: { readonly fields: Readonly<Record<string, string>> },
): Promise<Signed | Refusal> {
  const merchant = await ownMerchant(platform, viewer);
  if (isRefusal(merchant)) return merchant;
  const { signType, secret } = merchant;
  const { sign: _, ...given } = input.fields;
  const once =
    signType === 'md5' ? {} : { timestamp: String(platform.clock.now().getTime()), nonce: randomUUID() };
  const fields = { ...once, ...given, mchId: String(merchant.id) };
  await platform.db.tx((tx) =>
    audit(platform, tx, {
      userId: viewer.userId,
      action: 'interfaceTest.sign',
      subject: `merchant:${merchant.id}`,
      after: { fields },
      ip: viewer.ip,
    }),
  );
  return {
    fields,
    stringToSign: maskedSigningString(fields, signType),
    sign: sign(fields, signType, secret),
  };
}
