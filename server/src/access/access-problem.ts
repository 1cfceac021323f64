import type { Endpoint } from '@sangam/contract/endpoint.ts';
import * as company from '@sangam/contract/endpoints/company-sign-in.ts';
import * as errorLog from '@sangam/contract/endpoints/error-log.ts';
import * as message from '@sangam/contract/endpoints/message.ts';
import * as passkey from '@sangam/contract/endpoints/passkey.ts';
import * as user from '@sangam/contract/endpoints/user.ts';
import { hasDuty } from '@sangam/contract/party-roles.ts';
import type { Role } from '@sangam/contract/roles.ts';
import { type Refusal, refuse } from '../platform/refusal.ts';
import type { OpenSession } from './open-session.ts';

/** technicalMaintenance changes nothing, anywhere: these calls concern only its own session, inbox and console. */
const OWN_MATTERS: ReadonlySet<Endpoint> = new Set<Endpoint>([
  user.login2,
  user.getInfo,
  user.logout,
  user.getSessions,
  user.tellScreens,
  user.bindUser,
  user.confirmBind,
  user.bindUserForProfile,
  user.confirmBindForProfile,
  passkey.beginPasskey,
  passkey.addPasskey,
  passkey.removePasskey,
  passkey.beginStepUp,
  company.beginLink,
  company.linkIdentity,
  company.unlinkIdentity,
  message.hasRead,
  message.removeReaded,
  message.restore,
  errorLog.saveErrorLogger,
  errorLog.saveErrorLoggerUnprefixed,
]);

/** Who sees the console as another reads, and changes nothing but what its own window says of itself. */
const WHILE_SEEING: ReadonlySet<Endpoint> = new Set<Endpoint>([
  user.getInfo,
  user.endSeeAs,
  user.tellScreens,
  errorLog.saveErrorLogger,
  errorLog.saveErrorLoggerUnprefixed,
]);

const changes = ({ method, writes }: Endpoint) => writes ?? method === 'POST';

/** Whether a role may call an endpoint of sessions, whatever session it has: the role matrix shows this. */
export function roleMayCall(role: Role, endpoint: Endpoint): boolean {
  // Said here too, so that a role list which forgot it opens nothing.
  if (role === 'technicalMaintenance' && changes(endpoint) && !OWN_MATTERS.has(endpoint)) return false;
  if (endpoint.access === 'anyUser' || endpoint.access === 'binding') return true;
  if (typeof endpoint.access === 'string') throw new Error(`${endpoint.path} is not for sessions`);
  return endpoint.access.includes(role);
}

/** Undefined when this session may call the endpoint; scope and state are the command's matter. */
export function accessProblem(endpoint: Endpoint, session: OpenSession): Refusal | undefined {
  const { role, seenBy } = session.viewer;
  if (session.stage === 'binding' && endpoint.access !== 'binding') return refuse('mustBind');
  // Secrets stay with whose they are: a second-level password is nobody else's.
  if (seenBy && !WHILE_SEEING.has(endpoint) && (changes(endpoint) || endpoint.sensitive))
    return refuse('forbidden', {}, { reason: 'seeingOnly' });
  if (!roleMayCall(role, endpoint)) return refuse('forbidden');
  return memberProblem(endpoint, session);
}

/**
 * A further user of a party changes what its role within the party says. No user of a party changes anything but its own matters for a day
 * after it was made or reset: an admin who handed over its link could have used it. On a party's first day there is nothing to take.
 */
function memberProblem(endpoint: Endpoint, { viewer, row }: OpenSession): Refusal | undefined {
  const isForAll = typeof endpoint.access === 'string';
  if (isForAll || endpoint.duty === 'own' || !(changes(endpoint) || endpoint.sensitive)) return undefined;
  if (!hasDuty(viewer, endpoint.duty)) return refuse('forbidden', {}, { reason: 'partyRole' });
  return row.isFreshMember ? refuse('forbidden', {}, { reason: 'freshMember' }) : undefined;
}
