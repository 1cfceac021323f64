import type { Role } from '@sangam/contract/roles.ts';
import { violated } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { type Refusal, refuse } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { createUser } from './create-user.ts';
import { accountProblem, mayManage } from './manage-user.ts';
import { passwordProblem } from './password-problem.ts';

export interface AddedUser {
  readonly nickname: string;
  readonly account: string;
  readonly password: string;
  readonly access: Role;
}

/** A new user by an admin's hand. It has no second-level password until one is issued (resetPayPassword). */
export async function addUser(
  platform: Platform,
  viewer: Viewer,
  input: AddedUser,
): Promise<{ readonly id: string } | Refusal> {
  if (!mayManage(viewer, input.access)) return refuse('forbidden');
  const weak = passwordProblem(input.password, input.account);
  if (weak) return weak;
  return orAccountExists(() =>
    platform.db.tx(async (tx) => {
      const problem = await accountProblem(tx, input.account, null);
      if (problem) return problem;
      const { account, nickname, password, access: role } = input;
      const id = await createUser(platform, tx, {
        account,
        nickname,
        role,
        password,
        createdBy: viewer.userId,
        ip: viewer.ip,
      });
      return { id: String(id) };
    }),
  );
}

/** Two at once may both find a name free; the index lets one of them have it. */
export async function orAccountExists<Result>(work: () => Promise<Result>): Promise<Result | Refusal> {
  try {
    return await work();
  } catch (error) {
    if (violated(error) === 'users_account')
      return refuse('conflict', {}, { reason: 'accountExists', fields: [{ path: 'account' }] });
    throw error;
  }
}
