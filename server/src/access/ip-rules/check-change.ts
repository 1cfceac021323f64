import type { IpDoor } from '@sangam/contract/ip-rules.ts';
import { ROLES } from '@sangam/contract/roles.ts';
import type { Tx } from '../../platform/db/database.ts';
import { refuse, type Refusal } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { pointOf } from './ranges.ts';
import type { Comer, IpRule } from './rule.ts';
import { allows, letsInMore, sightOf } from './sight.ts';
import { lastAddressesOfSuperAdmins, rolesOfUsers } from './store.ts';

/** Now, and each moment from which the rules say something else because one of them has expired. */
function momentsOf(rules: readonly IpRule[], now: Date): Date[] {
  const later = rules.flatMap(({ expiresAt }) => (expiresAt !== null && expiresAt > now ? [expiresAt] : []));
  return [now, ...later];
}

/**
 * Refused when the author, from where it is now, or every superAdmin, from where each was last seen, would be locked out of
 * the console by these rules: now, or once some of them have expired.
 */
export async function lockOutProblem(
  tx: Tx,
  after: readonly IpRule[],
  author: Viewer,
  now: Date,
): Promise<Refusal | undefined> {
  const moments = momentsOf(after, now);
  const letIn = (comer: Comer, ip: string): boolean => {
    const point = pointOf(ip);
    return moments.every((at) => point === undefined || allows(sightOf(after, 'console', comer, at), point));
  };
  if (!letIn({ role: author.role, userId: author.userId }, author.ip))
    return refuse('conflict', {}, { reason: 'ipRuleLocksOutAuthor' });
  const tops = await lastAddressesOfSuperAdmins(tx);
  const anyLeft = tops.some(({ userId, ip }) => letIn({ role: 'superAdmin', userId }, ip));
  return tops.length === 0 || anyLeft
    ? undefined
    : refuse('conflict', {}, { reason: 'ipRuleLocksOutSuperAdmins' });
}

/** Whether the change lets in anybody, from any address, at any time, whom the rules before it refuse. */
export async function loosens(
  tx: Tx,
  before: readonly IpRule[],
  after: readonly IpRule[],
  doors: readonly IpDoor[],
  now: Date,
): Promise<boolean> {
  const all = [...before, ...after].filter(({ door }) => doors.includes(door));
  const comers = await comersOf(tx, all);
  return doors.some((door) =>
    momentsOf(all, now).some((at) =>
      comers.some((comer) => letsInMore(sightOf(before, door, comer, at), sightOf(after, door, comer, at))),
    ),
  );
}

/** One comer of each kind that these rules tell apart. */
async function comersOf(tx: Tx, rules: readonly IpRule[]): Promise<Comer[]> {
  const named = (kind: 'user' | 'merchant') => [
    ...new Set(rules.flatMap(({ subject }) => (subject.kind === kind ? [subject.id] : []))),
  ];
  const users = await rolesOfUsers(tx, named('user'));
  return [
    {},
    ...ROLES.map((role) => ({ role })),
    ...users.map(({ id, role }) => ({ role, userId: id })),
    ...named('merchant').map((merchantId) => ({ merchantId })),
  ];
}
