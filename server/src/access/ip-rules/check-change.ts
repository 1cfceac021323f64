import type { IpDoor } from '@sangam/contract/ip-rules.ts';
import { ROLES } from '@sangam/contract/roles.ts';
import type { Tx } from '../../platform/db/database.ts';
import { refuse, type Refusal } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { pointOf } from './ranges.ts';
import type { Comer, IpRule } from './rule.ts';
import { allows, letsInMore, sightOf } from './sight.ts';
import { lastAddressesOfSuperAdmins, rolesOfUsers } from './store.ts';

/** Now, and each later time at which a rule expires, because the rules then have another result. */
function momentsOf(rules: readonly IpRule[], now: Date): Date[] {
  const later = rules.flatMap(({ expiresAt }) => (expiresAt !== null && expiresAt > now ? [expiresAt] : []));
  return [now, ...later];
}

/**
 * Refuses rules that lock somebody out of the console: the author from its present address, or every superAdmin from its last
 * seen address. Checks the present and each time at which some of the rules have expired.
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

/** Whether the change lets in any caller, from any address at any time, whom the rules before it refuse. */
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

/** One caller of each kind that these rules tell apart. */
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
