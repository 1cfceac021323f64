import type { Tx } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { type Refusal, refuse } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { accountTaken, lockUser } from './admin-store.ts';
import { createUser } from './create-user.ts';
import { accountProblem } from './manage-user.ts';
import { passwordProblem } from './password-problem.ts';
import { randomPassword } from './password.ts';

export interface PartyUser {
  readonly id: bigint;
  readonly account: string;
}

/** Who a new merchant or supplier signs in as: a user waiting for it, or a new one. */
export interface StandsOn {
  readonly userId?: string | undefined;
  readonly account?: string | undefined;
  readonly password?: string | undefined;
}

export async function partyUser(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  role: 'merchant' | 'supplier',
  name: string,
  standsOn: StandsOn,
): Promise<PartyUser | Refusal> {
  const { userId, account, password } = standsOn;
  if (userId !== undefined) {
    const user = await lockUser(tx, BigInt(userId));
    if (!user || user.deleted || user.role !== role) return refuse('notFound');
    return user.isParty ? refuse('conflict', {}, { reason: 'userTaken' }) : user;
  }
  const missing = [
    ...(account === undefined ? ['account'] : []),
    ...(password === undefined ? ['password'] : []),
  ];
  if (account === undefined || password === undefined)
    return refuse('invalidInput', { fields: missing.join(', ') });
  const problem = passwordProblem(password, account) ?? (await accountProblem(tx, account, null));
  if (problem) return problem;
  const user = { account, nickname: name, role, password, createdBy: viewer.userId, ip: viewer.ip };
  return { id: await createUser(platform, tx, user), account };
}

const LONGEST_ACCOUNT = 64;

/** The user of the other half of a pair: named after the first, with a random password that is shown once. */
export async function relatedUser(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  role: 'merchant' | 'supplier',
  name: string,
  first: PartyUser,
): Promise<PartyUser & { readonly password: string }> {
  let account = '';
  for (let attempt = 0; account === '' || (await accountTaken(tx, account, null)); attempt += 1) {
    const ending = `${role}${attempt === 0 ? '' : attempt}`;
    account = `${first.account.slice(0, LONGEST_ACCOUNT - ending.length)}${ending}`;
  }
  const password = randomPassword();
  const user = { account, nickname: name, role, password, createdBy: viewer.userId, ip: viewer.ip };
  return { id: await createUser(platform, tx, user), account, password };
}
