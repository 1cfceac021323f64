import type { Platform } from '../platform/platform.ts';
import { lockOtherSuperAdmins, lockUsers } from './admin-store.ts';
import { createUser } from './create-user.ts';
import { randomPassword } from './password.ts';

export interface FirstAdmin {
  readonly password: string;
  readonly payPassword: string;
}

/**
 * The superAdmin who makes all others, with passwords to be shown once; the authenticator is bound at the first sign-in.
 * Undefined when there is a superAdmin already: then that one makes users.
 */
export async function createFirstAdmin(platform: Platform, account: string): Promise<FirstAdmin | undefined> {
  const passwords = { password: randomPassword(), payPassword: randomPassword() };
  return platform.db.tx(async (tx) => {
    // Two commands at once would each find nobody.
    await lockUsers(tx);
    if (await lockOtherSuperAdmins(tx, 0n)) return undefined;
    await createUser(platform, tx, { account, nickname: account, role: 'superAdmin', ...passwords });
    return passwords;
  });
}
