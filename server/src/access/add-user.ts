import type { Role } from '@sangam/contract/roles.ts';
import { type Tx, violated } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { type Refusal, isRefusal, refuse } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { createUser } from './create-user.ts';
import { accountProblem, mayManage } from './manage-user.ts';
import { startUserAccess } from './user-access.ts';

export interface AddedUser {
  readonly nickname: string;
  readonly account: string;
  readonly access: Role;
}

/** Adds a user without passwords, by an admin. It sets its own passwords by a link, for which a second person is asked. */
export async function addUser(
  platform: Platform,
  viewer: Viewer,
  input: AddedUser,
): Promise<{ readonly id: string; readonly todoId: string } | Refusal> {
  if (!mayManage(viewer, input.access)) return refuse('forbidden');
  return orAccountExists(() =>
    platform.db.tx(async (tx) => {
      const problem = await accountProblem(tx, input.account, null);
      if (problem) return problem;
      const { account, nickname, access: role } = input;
      const user = await createAndAsk(platform, tx, viewer, { account, nickname, role });
      return isRefusal(user) ? user : { id: String(user.id), todoId: String(user.todoId) };
    }),
  );
}

/** Creates a user without passwords, and the request for its link. */
export async function createAndAsk(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  user: { readonly account: string; readonly nickname: string; readonly role: Role },
): Promise<{ readonly id: bigint; readonly todoId: bigint } | Refusal> {
  const id = await createUser(platform, tx, { ...user, createdBy: viewer.userId, ip: viewer.ip });
  const started = await startUserAccess(platform, tx, viewer, id, { userChange: 'passwords' });
  return isRefusal(started) ? started : { id, todoId: started.todoId };
}

/** Two commands at once may both find an account name free; the unique index refuses one of them. */
export async function orAccountExists<Result>(work: () => Promise<Result>): Promise<Result | Refusal> {
  try {
    return await work();
  } catch (error) {
    if (violated(error) === 'users_account')
      return refuse('conflict', {}, { reason: 'accountExists', fields: [{ path: 'account' }] });
    throw error;
  }
}
