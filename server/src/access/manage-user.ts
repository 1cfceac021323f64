import { ADMINS, type Role } from '@sangam/contract/roles.ts';
import { audit } from '../platform/audit/record.ts';
import type { Tx } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { type Refusal, isRefusal, refuse } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { type ControlChange, noteControlChange } from './control-changes.ts';
import { type LockedUser, accountTaken, lockUser } from './admin-store.ts';

/** Admins manage users. Only a superAdmin adds and changes admins and superAdmins. */
export function mayManage(viewer: Viewer, role: Role): boolean {
  return viewer.role === 'superAdmin' || (viewer.role === 'admin' && !ADMINS.includes(role));
}

interface Managing {
  /** Whether deleted users may be managed too (repair). */
  readonly deletedToo?: boolean;
}

/** What a command did, for the audit. */
interface Done<Result> {
  readonly action: string;
  readonly before?: object;
  readonly after?: object;
  readonly result: Result;
  /** How the viewer could act as the user from now on. */
  readonly control?: ControlChange;
}

/**
 * Makes one change of a user by an admin, in a transaction: locks the user, refuses a viewer who may not manage it, and audits
 * the change. A refusal of `work` changes nothing.
 */
export function manage<Result>(
  platform: Platform,
  viewer: Viewer,
  userId: bigint,
  work: (tx: Tx, user: LockedUser) => Promise<Done<Result> | Refusal>,
  managing: Managing = {},
): Promise<Result | Refusal> {
  return platform.db.tx((tx) => manageIn(platform, tx, viewer, userId, work, managing));
}

/** Locks the user and answers it, if the viewer may manage it. */
export async function manageable(
  tx: Tx,
  viewer: Viewer,
  userId: bigint,
  { deletedToo = false }: Managing = {},
): Promise<LockedUser | Refusal> {
  if (!ADMINS.includes(viewer.role)) return refuse('forbidden');
  const user = await lockUser(tx, userId);
  if (!user || (user.deleted && !deletedToo)) return refuse('notFound');
  return mayManage(viewer, user.role) ? user : refuse('forbidden');
}

/** `manage` as part of a larger transaction, which a refusal has to end. */
export async function manageIn<Result>(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  userId: bigint,
  work: (tx: Tx, user: LockedUser) => Promise<Done<Result> | Refusal>,
  { deletedToo = false }: Managing = {},
): Promise<Result | Refusal> {
  const user = await manageable(tx, viewer, userId, { deletedToo });
  if (isRefusal(user)) return user;
  const done = await work(tx, user);
  if (isRefusal(done)) return done;
  const { action, before, after, result, control } = done;
  if (control) await noteControlChange(platform, tx, { userId, by: viewer.userId, change: control });
  await audit(platform, tx, {
    userId: viewer.userId,
    action,
    subject: `user:${user.account}`,
    before,
    after,
    ip: viewer.ip,
  });
  return result;
}

/** 409 when another user, not deleted, has the name. */
export async function accountProblem(
  tx: Tx,
  account: string,
  except: bigint | null,
): Promise<Refusal | undefined> {
  return (await accountTaken(tx, account, except))
    ? refuse('conflict', {}, { reason: 'accountExists', fields: [{ path: 'account' }] })
    : undefined;
}
