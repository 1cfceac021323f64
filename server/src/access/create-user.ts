import type { Role } from '@sangam/contract/roles.ts';
import { audit } from '../platform/audit/record.ts';
import type { Tx } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { noteControlChange } from './control-changes.ts';
import { hashPassword } from './password.ts';
import { insertUser } from './store.ts';

export interface NewUser {
  /** Generated when left out. */
  readonly id?: bigint;
  /** Letters and digits. */
  readonly account: string;
  readonly nickname: string;
  readonly role: Role;
  /** Without a password the user cannot sign in until it has set its own by a link. */
  readonly password?: string;
  readonly payPassword?: string;
  /** Base32. The authenticator counts as bound. */
  readonly googleSecret?: string;
  readonly enableGoogleVerify?: boolean;
  /** Who creates it; null for the seed. */
  readonly createdBy?: bigint | null;
  readonly ip?: string;
}

/**
 * Creates a user; answers its id. The caller has checked the right to do so and the strength of the password. Tests pass their
 * own `hash`, which hashes their common passwords only once.
 */
export async function createUser(
  platform: Platform,
  tx: Tx,
  user: NewUser,
  hash: typeof hashPassword = hashPassword,
): Promise<bigint> {
  const id = user.id ?? platform.ids.next();
  const [passwordHash, payPasswordHash] = await Promise.all([
    user.password === undefined ? null : hash(user.password),
    user.payPassword === undefined ? null : hash(user.payPassword),
  ]);
  const { account, nickname, role, createdBy: by = null } = user;
  await insertUser(
    tx,
    {
      id,
      account: user.account,
      nickname: user.nickname,
      role: user.role,
      passwordHash,
      payPasswordHash,
      enableGoogleVerify: user.enableGoogleVerify ?? true,
      googleSecret:
        user.googleSecret === undefined
          ? null
          : platform.vault.seal(user.googleSecret, ['users.google_secret', id]),
    },
    platform.clock.now(),
  );
  if (by !== null) await noteControlChange(platform, tx, { userId: id, by, change: 'created' });
  await audit(platform, tx, {
    userId: by,
    action: 'user.create',
    subject: `user:${account}`,
    after: { account, nickname, role },
    ip: user.ip ?? null,
  });
  return id;
}
