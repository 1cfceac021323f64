import { audit } from '../platform/audit/record.ts';
import type { Tx } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { type Refusal, isRefusal, refuse } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { setPassword, setPayPassword } from './admin-store.ts';
import { clearFailures, secondLevel, withLockOut } from './lock-out.ts';
import { hashPassword, passwordMatches } from './password.ts';
import { passwordProblem } from './password-problem.ts';
import { endSessionsOf } from './session-store.ts';
import { type UserRow, getUser } from './store.ts';

interface Passwords {
  readonly oldPassword: string;
  readonly newPassword: string;
}

/** The viewer's own user, or 403 when an admin has locked its profile (setAllowModify). */
export async function ownUser(platform: Platform, viewer: Viewer): Promise<UserRow | Refusal> {
  const user = await getUser(platform.db, viewer.userId);
  if (!user) return refuse('sessionExpired');
  return user.allowModify ? user : refuse('forbidden', {}, { reason: 'profileLocked' });
}

/** Changes the viewer's password, given the old one; the viewer's other sessions end. */
export async function changeOwnPassword(
  platform: Platform,
  viewer: Viewer,
  input: Passwords,
): Promise<Record<string, never> | Refusal> {
  const user = await ownUser(platform, viewer);
  if (isRefusal(user)) return user;
  const weak = passwordProblem(input.newPassword, viewer.account, 'newPassword');
  if (weak) return weak;
  return withLockOut(platform, viewer.account, viewer.ip, async (found) => {
    found(user.id);
    if (!(await passwordMatches(input.oldPassword, user.passwordHash))) return refuse('wrongPassword');
    const hash = await hashPassword(input.newPassword);
    return change(platform, viewer, viewer.account, 'user.changeOwnPassword', async (tx) => {
      await setPassword(tx, user.id, hash);
      await endSessionsOf(tx, user.id, viewer.sessionId, platform.clock.now());
    });
  });
}

/** Changes the viewer's second-level password, given the old one. Answers 1025 when there is none: a link sets both passwords. */
export async function changeOwnPayPassword(
  platform: Platform,
  viewer: Viewer,
  input: Passwords,
): Promise<Record<string, never> | Refusal> {
  const user = await ownUser(platform, viewer);
  if (isRefusal(user)) return user;
  const weak = passwordProblem(input.newPassword, viewer.account, 'newPassword');
  if (weak) return weak;
  const account = secondLevel(viewer.account);
  return withLockOut(platform, account, viewer.ip, async (found) => {
    found(user.id);
    if (!(await passwordMatches(input.oldPassword, user.payPasswordHash)))
      return refuse('secondPasswordWrong');
    const hash = await hashPassword(input.newPassword);
    return change(platform, viewer, account, 'user.changeOwnPayPassword', (tx) =>
      setPayPassword(tx, user.id, hash),
    );
  });
}

function change(
  platform: Platform,
  viewer: Viewer,
  lockAccount: string,
  action: string,
  write: (tx: Tx) => Promise<void>,
): Promise<Record<string, never>> {
  return platform.db.tx(async (tx) => {
    await write(tx);
    await clearFailures(tx, lockAccount, viewer.ip);
    await audit(platform, tx, {
      userId: viewer.userId,
      action,
      subject: `user:${viewer.account}`,
      ip: viewer.ip,
    });
    return {};
  });
}
