import type { z } from 'zod';
import type { GatewayProvider } from '@sangam/contract/gateways.ts';
import type { setGatewayCredentials as contract } from '@sangam/contract/endpoints/account.ts';
import { approvalNeeded } from '../approvals/start.ts';
import { audit } from '../platform/audit/record.ts';
import { type Tx, sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { type Refusal, isRefusal, refuse } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { askForCredentials } from './gateway-credentials.ts';
import { KEEPERS, accountScope } from './resource.ts';
import { alsoEnteredBy, isProven } from './whose.ts';

interface Credentials {
  readonly keyId: string;
  readonly keySecret: string;
  readonly webhookSecret?: string | undefined;
  readonly passkey?: string | undefined;
  readonly initiatorName?: string | undefined;
  readonly securityCredential?: string | undefined;
}

const OPTIONAL = ['webhookSecret', 'passkey', 'initiatorName', 'securityCredential'] as const;

/** Kinds of accounts that have an API. */
export const API_KINDS: readonly string[] = ['gateway', 'mpesa'];

export function sealCredentials(
  { vault }: Pick<Platform, 'vault'>,
  accountId: bigint,
  { keyId, keySecret, webhookSecret, passkey, initiatorName, securityCredential }: Credentials,
): Buffer {
  return vault.seal(
    JSON.stringify({ keyId, keySecret, webhookSecret, passkey, initiatorName, securityCredential }),
    ['accounts.credentials', accountId],
  );
}

/** An account names a pay script exactly when it is a gateway account whose provider is a script. */
export async function scriptProblem(
  tx: Tx,
  kind: string,
  provider: GatewayProvider,
  scriptId: bigint | null,
): Promise<Refusal | undefined> {
  const wrong = refuse('invalidInput', {}, { fields: [{ path: 'payScriptId', message: 'provider' }] });
  if ((provider === 'script') !== (scriptId !== null) || (scriptId !== null && kind !== 'gateway'))
    return wrong;
  if (scriptId === null) return undefined;
  const known = await tx.query(sql`select 1 from pay_scripts where id = ${scriptId}`);
  return known.length === 0 ? wrong : undefined;
}

/**
 * Sets the credentials of a gateway account's API: sealed, and never shown again. Whoever keeps the account sets them once,
 * before its ownership is proven or under review. Any other change could turn its money to another wallet, so it waits for a
 * second person (1205).
 */
export async function setGatewayCredentials(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof contract.input>,
): Promise<Record<string, never> | Refusal> {
  if (!KEEPERS.includes(viewer.role)) return refuse('forbidden');
  const accountId = BigInt(input.id);
  const outcome = await platform.db.tx(async (tx) => {
    const [account] = await tx.query<{
      kind: string;
      provider: GatewayProvider;
      payScriptId: bigint | null;
      sealed: Buffer | null;
      proven: boolean;
    }>(sql`
      select a.kind, a.gateway_provider as provider, a.pay_script_id as "payScriptId", a.credentials as sealed,
        ${isProven(sql`a.id`)} as proven
      from accounts a where a.id = ${accountId} ${accountScope(viewer)}
      for update of a`);
    if (!account) return refuse('notFound');
    if (!API_KINDS.includes(account.kind)) return refuse('conflict', {}, { reason: 'otherKind' });
    const { provider = account.provider, keyId, keySecret } = input;
    const scriptId = input.payScriptId === undefined ? account.payScriptId : BigInt(input.payScriptId);
    const problem = await scriptProblem(tx, account.kind, provider, scriptId);
    if (problem) return problem;
    const before =
      account.sealed &&
      (JSON.parse(platform.vault.open(account.sealed, ['accounts.credentials', accountId])) as Credentials);
    // Optional fields that are left out keep their values.
    const extras = OPTIONAL.map((name) => [name, input[name] ?? before?.[name]] as const);
    const credentials: Credentials & Record<string, string> = {
      keyId,
      keySecret,
      ...Object.fromEntries(extras.filter(([, value]) => value !== undefined)),
    };
    const stands = before !== null || account.proven;
    // What was sent through one provider's API can be queried there only.
    if (stands && (provider !== account.provider || scriptId !== account.payScriptId))
      return refuse('conflict', {}, { reason: 'otherProvider' });
    if (stands)
      return askForCredentials(platform, tx, viewer, {
        accountId,
        credentials,
        reason: input.reason ?? null,
      });
    await tx.query(sql`
      update accounts set credentials = ${sealCredentials(platform, accountId, credentials)}, credentials_at = ${platform.clock.now()},
        gateway_provider = ${provider}, pay_script_id = ${scriptId}, ${alsoEnteredBy(viewer)}
      where id = ${accountId}`);
    await audit(platform, tx, {
      userId: viewer.userId,
      action: 'account.setCredentials',
      subject: `account:${accountId}`,
      after: { fields: Object.keys(credentials), provider },
      ip: viewer.ip,
    });
    return null;
  });
  if (outcome === null) return {};
  return isRefusal(outcome) ? outcome : approvalNeeded(outcome);
}
