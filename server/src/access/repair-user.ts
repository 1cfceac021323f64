import type { Platform } from '../platform/platform.ts';
import type { Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { orAccountExists } from './add-user.ts';
import { forgetAllFailures, renameAndRevive } from './admin-store.ts';
import { secondLevel } from './lock-out.ts';
import { accountProblem, manage } from './manage-user.ts';
import { endSessionsOf } from './session-store.ts';

/**
 * Puts a user in order under another or the same account name: lifts lock-outs, drops an unfinished binding, ends sessions. A
 * deleted user comes back this way, because its old name may be taken. Its merchant or supplier stays switched off until
 * somebody switches it on.
 */
export function repairUser(
  platform: Platform,
  viewer: Viewer,
  input: { readonly userId: bigint; readonly newAccountName: string },
): Promise<Record<string, never> | Refusal> {
  const { userId, newAccountName } = input;
  return orAccountExists(() =>
    manage(
      platform,
      viewer,
      userId,
      async (tx, user) => {
        const problem = await accountProblem(tx, newAccountName, user.id);
        if (problem) return problem;
        await renameAndRevive(tx, user.id, newAccountName);
        const names = [user.account, newAccountName];
        await forgetAllFailures(
          tx,
          names.flatMap((name) => [name.toLowerCase(), secondLevel(name).toLowerCase()]),
        );
        await endSessionsOf(tx, user.id, viewer.sessionId, platform.clock.now());
        return {
          action: 'user.repair',
          before: { account: user.account, deleted: user.deleted },
          after: { account: newAccountName, deleted: false },
          result: {},
          ...(user.deleted ? { control: 'revived' } : {}),
        };
      },
      { deletedToo: true },
    ),
  );
}
