import { randomUUID } from 'node:crypto';
import { callLine } from '@sangam/contract/sign-types.ts';
import { maskedSigningString, sign, signingString } from '@sangam/contract/signature.ts';
import { isFreshUser } from '../../approvals/independence.ts';
import { audit } from '../../platform/audit/record.ts';
import type { Platform } from '../../platform/platform.ts';
import { createBase } from '../../platform/public-base.ts';
import { isRefusal, refuse, type Refusal, wrongInput } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { ownMerchant } from './own-merchant.ts';

interface Signed {
  readonly fields: Record<string, string>;
  readonly stringToSign: string;
  readonly sign: string;
  readonly url: string;
}

/**
 * Signs fields in a merchant's own name, so that an integrator can compare. Needs the second-level password, because the result may be sent
 * as an order. A user that was created or reset within a day cannot sign with a secret that the merchant has received (`rotateSecret` shows
 * such a user none either). Fields that could form a notification are refused.
 */
export async function signFields(
  platform: Platform,
  viewer: Viewer,
  input: { readonly fields: Readonly<Record<string, string>>; readonly path: string },
): Promise<Signed | Refusal> {
  const merchant = await ownMerchant(platform, viewer);
  if (isRefusal(merchant)) return merchant;
  const { signType, secret, hadSecret } = merchant;
  const now = platform.clock.now();
  if (hadSecret && (await platform.db.tx((tx) => isFreshUser(tx, viewer.userId, now))))
    return refuse('forbidden', {}, { reason: 'freshUser' });
  const line = callLine({ method: 'POST', path: input.path });
  const { sign: _, ...given } = input.fields;
  const once = signType === 'md5' ? {} : { timestamp: String(now.getTime()), nonce: randomUUID() };
  const fields = { ...once, ...given, mchId: String(merchant.id) };
  const notified = notifiedNames(fields);
  if (notified.length > 0) return wrongInput(...notified);
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
    stringToSign: maskedSigningString(fields, signType, line),
    sign: sign(fields, signType, secret, line),
    url: `${await createBase(platform)}${input.path}`,
  };
}

/** Fields of notifications (collection/notification.ts, payout/notification.ts) that no call of the merchant API has. */
const NOTIFIED = new Set(['payorderid', 'realamount', 'income', 'status', 'paysuccesstime', 'rejectreason']);

/**
 * The names in the signed string that belong to a notification. With such a signature a merchant's user could tell the merchant's shop that
 * an order is paid. Read from the string itself, because a value or name with `&` makes fields there.
 */
function notifiedNames(fields: Readonly<Record<string, string>>): string[] {
  const names = signingString(fields)
    .split('&')
    .map((field) => field.split('=', 1)[0]!);
  return names.filter((name) => NOTIFIED.has(name.toLowerCase()));
}
