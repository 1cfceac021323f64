import { PARTY_ROLES } from '@sangam/contract/party-roles.ts';
import { ROLES, type Role } from '@sangam/contract/roles.ts';
import { z } from 'zod';
import { approvalHandler } from '../approvals/approval.ts';
import { approvalNeeded, startApproval, type Started } from '../approvals/start.ts';
import type { Tx } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { type Refusal, isRefusal, refuse } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { type LockedUser, lockOtherSuperAdmins, setGoogleVerify, setRole } from './admin-store.ts';
import { type ControlChange, noteControlChange } from './control-changes.ts';
import { deleteIdentity } from './company/store.ts';
import { manageable, manageIn, mayManage } from './manage-user.ts';
import { removePasskeysOf } from './passkeys/store.ts';
import { endLinks, grantLink } from './password-links.ts';
import { writePartyRole } from './party-users/store.ts';
import { endSessionsOf } from './session-store.ts';
import { clearGoogleSecret, hasBoundSince } from './store.ts';

/**
 * Changes that could open a user's account to somebody else wait for a second person: the link for its passwords, another role,
 * removing its authenticator, passkeys and company identity, or no longer asking for its code.
 */
const userAccess = z.discriminatedUnion('userChange', [
  z.object({ userChange: z.literal('passwords') }),
  z.object({ userChange: z.literal('role'), role: z.enum(ROLES), roleBefore: z.enum(ROLES) }),
  z.object({ userChange: z.literal('unbound') }),
  z.object({ userChange: z.literal('googleOff') }),
  // For further users of a merchant or supplier, by request of its owner.
  z.object({ userChange: z.literal('invited'), partyRole: z.enum(PARTY_ROLES) }),
  z.object({
    userChange: z.literal('partyRole'),
    partyRole: z.enum(PARTY_ROLES),
    partyRoleBefore: z.enum(PARTY_ROLES),
  }),
]);
type UserAccess = z.infer<typeof userAccess>;
type Change = UserAccess['userChange'];

/** Changes that end with a link by which the user sets its passwords. */
const LINKS: readonly Change[] = ['passwords', 'invited'];
/** How the users who ask and approve could act as the user from now on. */
const CONTROLS: Readonly<Record<Change, ControlChange>> = {
  passwords: 'link',
  invited: 'link',
  role: 'role',
  partyRole: 'role',
  unbound: 'unbound',
  googleOff: 'googleOff',
};

/** Asks for a change. The caller may manage the user and has locked it. */
export function startUserAccess(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  userId: bigint,
  change: UserAccess,
): Promise<Started | Refusal> {
  return startApproval(platform, tx, viewer, {
    kind: 'userAccess',
    subjectKind: 'user',
    subjectId: userId,
    payload: change,
    reason: null,
    sole: LINKS.includes(change.userChange),
  });
}

/** The same as a command of its own; answers 1205 once the request waits. */
export async function askUserAccess(
  platform: Platform,
  viewer: Viewer,
  userId: bigint,
  change: Extract<UserAccess, { readonly userChange: 'passwords' | 'unbound' | 'googleOff' }>,
): Promise<Refusal> {
  const asked = await platform.db.tx(async (tx) => {
    const user = await manageable(tx, viewer, userId);
    return isRefusal(user) ? user : startUserAccess(platform, tx, viewer, userId, change);
  });
  return isRefusal(asked) ? asked : approvalNeeded(asked);
}

/** Why a user may not get another role: 403, or 409 for a merchant's or supplier's user and for the last superAdmin. */
export async function roleProblem(
  tx: Tx,
  viewer: Viewer,
  user: LockedUser,
  role: Role,
): Promise<Refusal | undefined> {
  if (!mayManage(viewer, role)) return refuse('forbidden');
  if (user.isParty) return refuse('conflict', {}, { reason: 'isParty' });
  if (user.role === 'superAdmin' && !(await lockOtherSuperAdmins(tx, user.id)))
    return refuse('conflict', {}, { reason: 'lastSuperAdmin' });
  return undefined;
}

/** Nobody decides about their own account. From now on the user who asked and the user who approved count as able to act as the user. */
export const userAccessApproval = approvalHandler({
  kind: 'userAccess',
  payload: userAccess,
  summary: () => ({ amount: null, currency: null }),
  execute: (platform, tx, { id, subjectId, startedBy, startedAt, payload }, decider) =>
    manageIn(platform, tx, decider, subjectId, async (_tx, user) => {
      if (user.id === decider.userId) return refuse('forbidden', {}, { reason: 'ownUser' });
      const now = platform.clock.now();
      const control = CONTROLS[payload.userChange];
      const before: Record<string, unknown> = {};
      switch (payload.userChange) {
        case 'passwords':
        case 'invited':
          await grantLink(platform, tx, {
            userId: user.id,
            approvalId: id,
            askedBy: startedBy,
            givenTo: decider.userId,
          });
          break;
        case 'role': {
          if (user.role !== payload.roleBefore) return refuse('conflict');
          const problem = await roleProblem(tx, decider, user, payload.role);
          if (problem) return problem;
          await setRole(tx, user.id, payload.role);
          await endLinks(tx, user.id, now);
          await endSessionsOf(tx, user.id, decider.sessionId, now);
          before['role'] = user.role;
          break;
        }
        case 'partyRole':
          if (!(await writePartyRole(tx, user.id, payload.partyRoleBefore, payload.partyRole)))
            return refuse('conflict');
          break;
        case 'unbound':
          // Its user has a second factor again: that is not the one that was to be taken.
          if (await hasBoundSince(tx, user.id, startedAt)) return refuse('conflict');
          await clearGoogleSecret(tx, user.id);
          await removePasskeysOf(tx, user.id, now);
          await deleteIdentity(tx, user.id);
          await endSessionsOf(tx, user.id, decider.sessionId, now);
          break;
        case 'googleOff':
          await setGoogleVerify(tx, user.id, false);
          break;
      }
      await noteControlChange(platform, tx, { userId: user.id, by: startedBy, change: control });
      return { action: `user.${control}`, before, after: payload, result: {}, control };
    }),
});
