import type { PartyRole } from '@sangam/contract/party-roles.ts';
import type { SignType } from '@sangam/contract/sign-types.ts';
import type { Role } from '@sangam/contract/roles.ts';
import { generateSecret } from 'otplib';
import { MINUTE } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { createUser } from '../access/create-user.ts';
import { openNewSession } from '../access/new-session.ts';
import { hashToken, newToken } from '../access/secret-token.ts';
import { setSecondToken } from '../access/session-store.ts';
import type { Platform } from '../platform/platform.ts';
import { hashOnce } from './hash-once.ts';

export const PASSWORD = 'correct horse 42';
export const PAY_PASSWORD = 'battery staple 7';

export interface TestUser {
  readonly id: bigint;
  readonly account: string;
  readonly role: Role;
  /** In base32. */
  readonly googleSecret: string;
}

let count = 0;

/** A user with a bound authenticator and the two passwords above. The test itself makes a merchant or supplier row. */
export async function createTestUser(
  platform: Platform,
  role: Role,
  options: {
    readonly account?: string;
    readonly bound?: boolean;
    readonly enableGoogleVerify?: boolean;
  } = {},
): Promise<TestUser> {
  count += 1;
  const account = options.account ?? `${role}${count}`;
  const googleSecret = generateSecret();
  const id = await platform.db.tx((tx) =>
    createUser(
      platform,
      tx,
      {
        account,
        nickname: `Test ${account}`,
        role,
        password: PASSWORD,
        payPassword: PAY_PASSWORD,
        enableGoogleVerify: options.enableGoogleVerify ?? true,
        ...(options.bound === false ? {} : { googleSecret }),
      },
      hashOnce,
    ),
  );
  return { id, account, role, googleSecret };
}

/** The headers of a user's full session with the second-level token, without the sign-in. */
export async function signedIn(
  platform: Platform,
  user: TestUser,
): Promise<{ token: string; token2: string }> {
  return platform.db.tx(async (tx) => {
    const { token } = await openNewSession(platform, tx, {
      userId: user.id,
      stage: 'full',
      ip: '127.0.0.1',
      userAgent: 'test',
    });
    const token2 = newToken();
    const rows = await tx.query<{ id: bigint }>(
      sql`select id from sessions where token_hash = ${hashToken(token)}`,
    );
    const expiresAt = new Date(platform.clock.now().getTime() + 15 * MINUTE);
    await setSecondToken(tx, rows[0]!.id, hashToken(token2), expiresAt);
    return { token, token2 };
  });
}

/** Seals a merchant's secret and stores it in the merchant's row. */
export async function setSecret(platform: Platform, merchantId: bigint, secret: string): Promise<void> {
  await platform.db.query(sql`
    update merchants set secret = ${platform.vault.seal(secret, ['merchants.secret', merchantId])} where id = ${merchantId}`);
}

/** A merchant with its user. `secret` is its signing secret. */
export async function createTestMerchant(
  platform: Platform,
  options: { readonly signType?: SignType; readonly secret?: string; readonly id?: bigint } = {},
): Promise<{ readonly id: bigint; readonly user: TestUser; readonly secret: string }> {
  const user = await createTestUser(platform, 'merchant');
  const secret = options.secret ?? 'ABCDEF0123456789ABCDEF0123456789';
  const id = options.id === undefined ? sql`default` : sql`${options.id}`;
  const rows = await platform.db.query<{ id: bigint }>(sql`
    insert into merchants (id, user_id, name, sign_type, secret, created_at) overriding system value
    values (${id}, ${user.id}, ${`Merchant ${user.account}`}, ${options.signType ?? 'hmac-sha256'},
            '', ${platform.clock.now()})
    returning id`);
  await setSecret(platform, rows[0]!.id, secret);
  return { id: rows[0]!.id, user, secret };
}

/** A further user of a party. Nobody is recorded as its maker, so it may act at once. */
export async function createTestMember(
  platform: Platform,
  party: { readonly merchantId?: bigint; readonly supplierId?: bigint },
  partyRole: PartyRole,
): Promise<TestUser> {
  const { merchantId = null, supplierId = null } = party;
  const role = merchantId === null ? 'supplier' : 'merchant';
  const user = await createTestUser(platform, role);
  await platform.db.query(sql`
    insert into party_members (user_id, role, merchant_id, supplier_id, party_role, created_at)
    values (${user.id}, ${role}, ${merchantId}, ${supplierId}, ${partyRole}, ${platform.clock.now()})`);
  return user;
}

/** A supplier with its user. */
export async function createTestSupplier(
  platform: Platform,
  options: { readonly agentId?: bigint } = {},
): Promise<{ readonly id: bigint; readonly user: TestUser }> {
  const user = await createTestUser(platform, 'supplier');
  const rows = await platform.db.query<{ id: bigint }>(sql`
    insert into suppliers (user_id, agent_id, name, created_at)
    values (${user.id}, ${options.agentId ?? null}, ${`Supplier ${user.account}`}, ${platform.clock.now()})
    returning id`);
  return { id: rows[0]!.id, user };
}
