import type { GatewayProvider } from '@sangam/contract/gateways.ts';
import { z } from 'zod';
import { sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';

/** The credentials of a gateway account's API. */
export interface GatewayAccess {
  /** Its number at the gateway: the wallet that pays. */
  readonly accountNumber: string;
  readonly provider: GatewayProvider;
  readonly keyId: string;
  readonly keySecret: string;
  /** The secret that signs the gateway's notices, where it is not the key's own secret. */
  readonly webhookSecret?: string | undefined;
}

const sealed = z.object({ keyId: z.string(), keySecret: z.string(), webhookSecret: z.string().optional() });

/** A closed or frozen account is still queried about earlier sends. Undefined where there are no credentials. */
export async function gatewayAccess(
  { db, vault }: Pick<Platform, 'db' | 'vault'>,
  accountId: bigint,
): Promise<GatewayAccess | undefined> {
  const [row] = await db.query<{ accountNumber: string; provider: GatewayProvider; credentials: Buffer }>(sql`
    select a.account_number as "accountNumber", a.gateway_provider as provider, a.credentials from accounts a
    where a.id = ${accountId} and a.kind = 'gateway' and a.credentials is not null`);
  if (!row) return undefined;
  const { credentials, ...account } = row;
  return {
    ...account,
    ...sealed.parse(JSON.parse(vault.open(credentials, ['accounts.credentials', accountId]))),
  };
}

/** What a pay script gets of its account, receiving or paying. Undefined where there are no credentials. */
export type ScriptConfig = Omit<GatewayAccess, 'provider'>;

export async function scriptAccess(
  platform: Pick<Platform, 'db' | 'vault'>,
  accountId: bigint,
): Promise<ScriptConfig | undefined> {
  const access = await gatewayAccess(platform, accountId);
  if (access?.provider !== 'script') return undefined;
  const { provider: _, ...config } = access;
  return config;
}
