import type { Role } from '@sangam/contract/roles.ts';
import { approvalNeeded, type Started } from '../approvals/start.ts';
import type { Platform } from '../platform/platform.ts';
import { type Refusal, isRefusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { orAccountExists } from './add-user.ts';
import { updateUserRow } from './admin-store.ts';
import { accountProblem, manage } from './manage-user.ts';
import { roleProblem, startUserAccess } from './user-access.ts';

export interface UserUpdate {
  readonly id: bigint;
  readonly nickname: string;
  readonly account: string;
  readonly role: Role;
}

/**
 * Changes a user's names. Another role waits for a second person (1205). A merchant's or supplier's user keeps its role, and
 * one superAdmin always remains.
 */
export async function updateUser(
  platform: Platform,
  viewer: Viewer,
  { id, nickname, account, role }: UserUpdate,
): Promise<Record<string, never> | Refusal> {
  const asked = await orAccountExists(() =>
    manage<Started | null>(platform, viewer, id, async (tx, user) => {
      let started: Started | Refusal | null = null;
      if (role !== user.role) {
        started =
          (await roleProblem(tx, viewer, user, role)) ??
          (await startUserAccess(platform, tx, viewer, id, {
            userChange: 'role',
            role,
            roleBefore: user.role,
          }));
        if (isRefusal(started)) return started;
      }
      const problem = await accountProblem(tx, account, id);
      if (problem) return problem;
      await updateUserRow(tx, id, { account, nickname });
      return {
        action: 'user.update',
        before: { account: user.account, nickname: user.nickname },
        after: { account, nickname },
        result: started,
      };
    }),
  );
  if (isRefusal(asked)) return asked;
  return asked ? approvalNeeded(asked) : {};
}
