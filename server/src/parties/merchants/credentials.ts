import type { SignType } from '@sangam/contract/signature.ts';
import { type Queryable, type Tx, hot, sql } from '../../platform/db/database.ts';

export interface MerchantCredentials {
  readonly id: bigint;
  readonly enabled: boolean;
  readonly signType: SignType;
  readonly cancelByMd5: boolean;
  /** Sealed by the vault. */
  readonly secret: Buffer;
  /** The secret before the last rotation, while it still signs. */
  readonly previousSecret: Buffer | null;
}

export async function findCredentials(
  db: Queryable,
  merchantIds: readonly bigint[],
  now: Date,
): Promise<Map<bigint, MerchantCredentials>> {
  const rows = await db.query<MerchantCredentials>(
    hot(
      'credentials',
      sql`
    select id, enabled, sign_type as "signType", cancel_by_md5 as "cancelByMd5", secret,
      case when previous_valid_until > ${now} then previous_secret end as "previousSecret"
    from merchants where id = any(${merchantIds})`,
    ),
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Remembers a nonce; false when an earlier call used it and it is still remembered. */
export async function rememberNonce(
  tx: Tx,
  use: { readonly merchantId: bigint; readonly nonce: string; readonly now: Date; readonly expiresAt: Date },
): Promise<boolean> {
  const rows = await tx.query(
    hot(
      'use nonce',
      sql`
    insert into merchant_nonces as used (merchant_id, nonce, expires_at)
    values (${use.merchantId}, ${use.nonce}, ${use.expiresAt})
    on conflict (merchant_id, nonce) do update set expires_at = excluded.expires_at
      where used.expires_at <= ${use.now}
    returning nonce`,
    ),
  );
  return rows.length === 1;
}

export async function deleteExpiredNonces(tx: Tx, now: Date): Promise<void> {
  await tx.query(sql`delete from merchant_nonces where expires_at <= ${now}`);
}
