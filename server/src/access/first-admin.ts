import type { Platform } from '../platform/platform.ts';
import { accountTaken, countFirstAdmins, lockUsers } from './admin-store.ts';
import { createUser } from './create-user.ts';
import { randomPassword } from './password.ts';

export interface FirstAdmin {
  readonly password: string;
  readonly payPassword: string;
}

/** Two people: requests of one are decided by another one whom the first did not make. */
const FIRST_ADMINS = 2;

/**
 * One of the two superAdmins who make all others, with passwords to be shown once; the authenticator is bound at the first
 * sign-in. Undefined when there are two superAdmins whom nobody made: then they make users. Throws when the name is taken.
 */
export async function createFirstAdmin(platform: Platform, account: string): Promise<FirstAdmin | undefined> {
  const passwords = { password: randomPassword(), payPassword: randomPassword() };
  return platform.db.tx(async (tx) => {
    // Commands at once would each find nobody.
    await lockUsers(tx);
    if ((await countFirstAdmins(tx)) >= FIRST_ADMINS) return undefined;
    if (await accountTaken(tx, account, null)) throw new Error(`There is a user named ${account} already.`);
    await createUser(platform, tx, { account, nickname: account, role: 'superAdmin', ...passwords });
    return passwords;
  });
}
