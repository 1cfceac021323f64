import type * as contract from '@sangam/contract/endpoints/party-user.ts';
import type { PartyRole } from '@sangam/contract/party-roles.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { approvalNeeded, type Started } from '../../approvals/start.ts';
import { audit } from '../../platform/audit/record.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { type Refusal, isRefusal, refuse } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { orAccountExists } from '../add-user.ts';
import { type LockedUser, lockUser } from '../admin-store.ts';
import { closeUser } from '../close-user.ts';
import { createUser } from '../create-user.ts';
import { accountProblem } from '../manage-user.ts';
import { startUserAccess } from '../user-access.ts';
import { insertMember, listPartyUsers, lockMember, lockMembers, writePartyRole } from './store.ts';

/** How many further users a party may have. */
export const MOST_MEMBERS = 50;

export async function getPartyUsers(
  { db, clock }: Platform,
  viewer: Viewer,
): Promise<z.input<typeof contract.getPartyUsers.output>> {
  const users = await listPartyUsers(db, viewer, clock.now());
  return {
    list: users.map(({ id, createdAt, lastSignInAt, ...user }) => ({
      ...user,
      id: String(id),
      createTime: formatTime(createdAt),
      lastSignInTime: lastSignInAt && formatTime(lastSignInAt),
    })),
  };
}

/**
 * Creates a further user without passwords, and the request for its link (1205). 409 beyond MOST_MEMBERS, and where the account
 * exists.
 */
export async function invitePartyUser(
  platform: Platform,
  viewer: Viewer,
  { account, nickname, partyRole }: z.output<typeof contract.invitePartyUser.input>,
): Promise<Refusal> {
  const { role } = viewer;
  const asked = await orAccountExists(() =>
    platform.db.tx(async (tx) => {
      if ((await lockMembers(tx, viewer)) >= MOST_MEMBERS)
        return refuse('conflict', {}, { reason: 'tooManyUsers' });
      const problem = await accountProblem(tx, account, null);
      if (problem) return problem;
      const made = { account, nickname, role, createdBy: viewer.userId, ip: viewer.ip };
      const userId = await createUser(platform, tx, made);
      await insertMember(tx, viewer, userId, partyRole, platform.clock.now());
      return startUserAccess(platform, tx, viewer, userId, { userChange: 'invited', partyRole });
    }),
  );
  return isRefusal(asked) ? asked : approvalNeeded(asked);
}

/** Gives another role. Read-only is given at once, so that an owner can stop somebody; every other role waits for an admin (1205). */
export function setPartyRole(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof contract.setPartyRole.input>,
): Promise<Record<string, never> | Refusal> {
  const { partyRole } = input;
  return withMember(
    platform,
    viewer,
    BigInt(input.userId),
    async (tx, { id, account, partyRole: before }) => {
      if (partyRole === before) return null;
      const change = { userChange: 'partyRole', partyRole, partyRoleBefore: before } as const;
      if (partyRole !== 'readOnly') return startUserAccess(platform, tx, viewer, id, change);
      await writePartyRole(tx, id, before, partyRole);
      await note(platform, tx, viewer, 'user.partyRole', account, { partyRole: before }, { partyRole });
      return null;
    },
  );
}

/** Asks for a new link for the passwords, or for the removal of authenticator and passkeys: an admin decides (1205). */
export function resetPartyUser(
  platform: Platform,
  viewer: Viewer,
  { userId, what }: z.output<typeof contract.resetPartyUser.input>,
): Promise<Record<string, never> | Refusal> {
  return withMember(platform, viewer, BigInt(userId), (tx, { id }) =>
    startUserAccess(platform, tx, viewer, id, { userChange: what }),
  );
}

/** Deletes a further user, and ends its sessions and links. */
export function removePartyUser(
  platform: Platform,
  viewer: Viewer,
  { userId }: z.output<typeof contract.removePartyUser.input>,
): Promise<Record<string, never> | Refusal> {
  return withMember(platform, viewer, BigInt(userId), async (tx, { account, partyRole, user }) => {
    const refusal = await closeUser(tx, viewer, user, platform.clock.now());
    if (refusal) return refusal;
    await note(platform, tx, viewer, 'user.delete', account, { partyRole }, { deleted: true });
    return null;
  });
}

interface Member {
  readonly id: bigint;
  readonly account: string;
  readonly partyRole: PartyRole;
  readonly user: LockedUser;
}

/**
 * Works on a further user of the viewer's own party, locked. 404 for any other user, 409 for itself; 1205 when the work starts
 * a request.
 */
async function withMember(
  platform: Platform,
  viewer: Viewer,
  userId: bigint,
  work: (tx: Tx, member: Member) => Promise<Started | Refusal | null>,
): Promise<Record<string, never> | Refusal> {
  const done = await platform.db.tx(async (tx) => {
    const user = await lockUser(tx, userId);
    const partyRole = await lockMember(tx, viewer, userId);
    if (!user || partyRole === undefined) return refuse('notFound');
    if (userId === viewer.userId) return refuse('conflict', {}, { reason: 'notYourself' });
    return work(tx, { id: userId, account: user.account, partyRole, user });
  });
  if (done === null) return {};
  return isRefusal(done) ? done : approvalNeeded(done);
}

function note(
  platform: Platform,
  tx: Tx,
  viewer: Viewer,
  action: string,
  account: string,
  before: object,
  after: object,
): Promise<void> {
  const { userId, ip } = viewer;
  return audit(platform, tx, { userId, action, subject: `user:${account}`, before, after, ip });
}
