import { randomBytes } from 'node:crypto';
import type { SignType } from '@sangam/contract/signature.ts';
import { audit } from '../../platform/audit/record.ts';
import { type Tx, sql } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Viewer } from '../../platform/viewer.ts';

export type CallbackTransport = 'json' | 'form' | 'query';

export interface NewMerchant {
  readonly userId: bigint;
  readonly name: string;
  readonly signType: SignType;
  readonly callbackTransport: CallbackTransport | null;
}

/** 32 upper-case hex digits, as existing clients of this API family expect. */
export function newSecret(): string {
  return randomBytes(16).toString('hex').toUpperCase();
}

/**
 * Writes a merchant for a user that has none. Only a demo world's file shows its first secret; its own user issues one by
 * rotateSecret.
 */
export async function addMerchant(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  merchant: NewMerchant,
): Promise<{ readonly id: bigint; readonly secret: string }> {
  const secret = newSecret();
  const { userId, name, signType, callbackTransport } = merchant;
  const [row] = await tx.query<{ id: bigint }>(sql`
    insert into merchants (user_id, name, sign_type, secret, callback_transport, created_at)
    values (${userId}, ${name}, ${signType}, '', ${callbackTransport}, ${platform.clock.now()})
    returning id`);
  // The secret is sealed with the row's id, so the row comes first.
  await tx.query(sql`
    update merchants set secret = ${platform.vault.seal(secret, ['merchants.secret', row!.id])} where id = ${row!.id}`);
  await audit(platform, tx, {
    userId: viewer.userId,
    action: 'merchant.create',
    subject: `merchant:${row!.id}`,
    after: { userId: String(userId), name, signType, callbackTransport },
    ip: viewer.ip,
  });
  return { id: row!.id, secret };
}
