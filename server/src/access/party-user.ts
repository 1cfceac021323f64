import type { Tx } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { type Refusal, isRefusal, refuse, wrongInput } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { accountTaken, lockUser } from './admin-store.ts';
import { createAndAsk } from './add-user.ts';
import { accountProblem } from './manage-user.ts';

export interface PartyUser {
  readonly id: bigint;
  readonly account: string;
}

/** The user that a new merchant or supplier signs in with: an existing user without a party, or a new one. */
export interface StandsOn {
  readonly userId?: string | undefined;
  readonly account?: string | undefined;
}

export async function partyUser(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  role: 'merchant' | 'supplier',
  name: string,
  standsOn: StandsOn,
): Promise<PartyUser | Refusal> {
  const { userId, account } = standsOn;
  if (userId !== undefined) {
    const user = await lockUser(tx, BigInt(userId));
    if (!user || user.deleted || user.role !== role) return refuse('notFound');
    return user.isParty ? refuse('conflict', {}, { reason: 'userTaken' }) : user;
  }
  if (account === undefined) return wrongInput('account');
  const problem = await accountProblem(tx, account, null);
  if (problem) return problem;
  const made = await createAndAsk(platform, tx, viewer, { account, nickname: name, role });
  return isRefusal(made) ? made : { id: made.id, account };
}

const LONGEST_ACCOUNT = 64;

/** The user of the other half of a pair, named after the first half's user. */
export async function relatedUser(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  role: 'merchant' | 'supplier',
  name: string,
  first: PartyUser,
): Promise<PartyUser | Refusal> {
  let account = '';
  for (let attempt = 0; account === '' || (await accountTaken(tx, account, null)); attempt += 1) {
    const ending = `${role}${attempt === 0 ? '' : attempt}`;
    account = `${first.account.slice(0, LONGEST_ACCOUNT - ending.length)}${ending}`;
  }
  const made = await createAndAsk(platform, tx, viewer, { account, nickname: name, role });
  return isRefusal(made) ? made : { id: made.id, account };
}
