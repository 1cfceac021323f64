import type { MpesaType } from '@sangam/contract/account-kinds.ts';
import { z } from 'zod';
import { type Queryable, sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';

/** The credentials of an M-Pesa short code's API, and its owner. */
export interface MpesaAccess {
  readonly accountId: bigint;
  readonly supplierId: bigint;
  readonly bank: string;
  readonly shortCode: string;
  readonly type: MpesaType;
  readonly keyId: string;
  readonly keySecret: string;
  readonly passkey?: string | undefined;
  readonly initiatorName?: string | undefined;
  readonly securityCredential?: string | undefined;
}

const sealed = z.object({
  keyId: z.string(),
  keySecret: z.string(),
  passkey: z.string().optional(),
  initiatorName: z.string().optional(),
  securityCredential: z.string().optional(),
});

/** Undefined where there are no credentials, or where the account is of another kind. */
export async function mpesaAccess(
  { db, vault }: Pick<Platform, 'vault'> & { readonly db: Queryable },
  accountId: bigint,
): Promise<MpesaAccess | undefined> {
  const [row] = await db.query<Omit<MpesaAccess, 'keyId' | 'keySecret'> & { credentials: Buffer }>(sql`
    select a.id as "accountId", a.supplier_id as "supplierId", a.bank, a.account_number as "shortCode", a.mpesa_type as type,
      a.credentials
    from accounts a where a.id = ${accountId} and a.kind = 'mpesa' and a.credentials is not null`);
  if (!row) return undefined;
  const { credentials, ...account } = row;
  return {
    ...account,
    ...sealed.parse(JSON.parse(vault.open(credentials, ['accounts.credentials', accountId]))),
  };
}
