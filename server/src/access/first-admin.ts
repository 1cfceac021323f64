import type { Platform } from '../platform/platform.ts';
import { accountTaken, countFirstAdmins, findUnopenedFirstAdmin, lockUsers } from './admin-store.ts';
import { createUser } from './create-user.ts';
import { grantLink, newLinkToken } from './password-links.ts';

/** Two people, neither made by the other, so that each can decide the other's requests. */
const FIRST_ADMINS = 2;

/**
 * Creates one of the first two superAdmins; answers the token of the link by which it sets its passwords, shown once. The
 * authenticator is bound at the first sign-in. While no password is set, a repeat for the same name makes another link.
 * Undefined when two superAdmins exist whom nobody made: from then on they make users. Throws when the name is taken.
 */
export async function createFirstAdmin(platform: Platform, account: string): Promise<string | undefined> {
  return platform.db.tx(async (tx) => {
    // Without the lock, simultaneous commands would each find no superAdmin.
    await lockUsers(tx);
    let userId = await findUnopenedFirstAdmin(tx, account);
    if (userId === undefined) {
      if ((await countFirstAdmins(tx)) >= FIRST_ADMINS) return undefined;
      if (await accountTaken(tx, account, null)) throw new Error(`There is a user named ${account} already.`);
      userId = await createUser(platform, tx, { account, nickname: account, role: 'superAdmin' });
    }
    const grant = { userId, approvalId: null, askedBy: null, givenTo: null };
    return newLinkToken(tx, await grantLink(platform, tx, grant));
  });
}
