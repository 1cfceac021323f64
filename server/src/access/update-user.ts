import type { Role } from '@sangam/contract/roles.ts';
import type { Platform } from '../platform/platform.ts';
import { type Refusal, refuse } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { orAccountExists } from './add-user.ts';
import { lockOtherSuperAdmins, updateUserRow } from './admin-store.ts';
import { accountProblem, manage, mayManage } from './manage-user.ts';
import { hashPassword } from './password.ts';
import { passwordProblem } from './password-problem.ts';
import { endSessionsOf } from './session-store.ts';

export interface UserUpdate {
  readonly id: bigint;
  readonly nickname: string;
  readonly account: string;
  readonly password?: string | undefined;
  readonly role: Role;
}

/**
 * Changes a user. A merchant's or supplier's user keeps its role, and one superAdmin always remains. A new password or
 * role ends the user's sessions (but the viewer's own).
 */
export async function updateUser(
  platform: Platform,
  viewer: Viewer,
  input: UserUpdate,
): Promise<Record<string, never> | Refusal> {
  const weak = input.password && passwordProblem(input.password, input.account);
  if (weak) return weak;
  const passwordHash = input.password === undefined ? null : await hashPassword(input.password);
  return orAccountExists(() =>
    manage(platform, viewer, input.id, async (tx, user) => {
      const { nickname, account, role } = input;
      if (role !== user.role) {
        if (!mayManage(viewer, role)) return refuse('forbidden');
        if (user.isParty) return refuse('conflict', {}, { reason: 'isParty' });
        if (user.role === 'superAdmin' && !(await lockOtherSuperAdmins(tx, user.id)))
          return refuse('conflict', {}, { reason: 'lastSuperAdmin' });
      }
      const problem = await accountProblem(tx, account, user.id);
      if (problem) return problem;
      const mustChangePassword = passwordHash !== null && user.id !== viewer.userId;
      await updateUserRow(tx, user.id, { account, nickname, role, passwordHash, mustChangePassword });
      if (passwordHash !== null || role !== user.role)
        await endSessionsOf(tx, user.id, viewer.sessionId, platform.clock.now());
      return {
        action: 'user.update',
        before: { account: user.account, nickname: user.nickname, role: user.role },
        after: { account, nickname, role, ...(passwordHash === null ? {} : { password: 'changed' }) },
        result: {},
        ...(passwordHash !== null ? { control: 'password' } : role !== user.role ? { control: 'role' } : {}),
      };
    }),
  );
}
