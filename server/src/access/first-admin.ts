import type { Platform } from '../platform/platform.ts';
import { accountTaken, countFirstAdmins, findUnopenedFirstAdmin, lockUsers } from './admin-store.ts';
import { createUser } from './create-user.ts';
import { grantLink, newLinkToken } from './password-links.ts';

/** Two people: requests of one are decided by another one whom the first did not make. */
const FIRST_ADMINS = 2;

/**
 * One of the two superAdmins who make all others; answers the token of the link by which it sets its passwords, to be shown once. The
 * authenticator is bound at the first sign-in. Once more for the same name makes another link while no password is set. Undefined when
 * there are two superAdmins whom nobody made: then they make users. Throws when the name is taken.
 */
export async function createFirstAdmin(platform: Platform, account: string): Promise<string | undefined> {
  return platform.db.tx(async (tx) => {
    // Commands at once would each find nobody.
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
