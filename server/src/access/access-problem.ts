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

/** technicalMaintenance changes nothing of anybody else's: these calls concern only its own session, inbox and console. */
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

/** Who sees the console as another (`seeAs`) only reads; of the calls that write, these few about its own window are allowed. */
const WHILE_SEEING: ReadonlySet<Endpoint> = new Set<Endpoint>([
  user.getInfo,
  user.endSeeAs,
  user.tellScreens,
  errorLog.saveErrorLogger,
  errorLog.saveErrorLoggerUnprefixed,
]);

const changes = ({ method, writes }: Endpoint) => writes ?? method === 'POST';

/** Whether a role may call an endpoint that needs a session, in any session of that role. The role matrix shows this. */
export function roleMayCall(role: Role, endpoint: Endpoint): boolean {
  // Checked here too, so that a role list that includes technicalMaintenance by mistake opens nothing.
  if (role === 'technicalMaintenance' && changes(endpoint) && !OWN_MATTERS.has(endpoint)) return false;
  if (endpoint.access === 'anyUser' || endpoint.access === 'binding') return true;
  if (typeof endpoint.access === 'string') throw new Error(`${endpoint.path} is not for sessions`);
  return endpoint.access.includes(role);
}

/** Undefined when this session may call the endpoint. The command itself checks the scope and the state. */
export function accessProblem(endpoint: Endpoint, session: OpenSession): Refusal | undefined {
  const { role, seenBy } = session.viewer;
  if (session.stage === 'binding' && endpoint.access !== 'binding') return refuse('mustBind');
  // A session of `seeAs` shows no secrets of the user it stands for, and cannot use that user's second-level password. It gives no files: a
  // large one counts as an export of that user, or asks for a second person in that user's name.
  if (seenBy && !WHILE_SEEING.has(endpoint) && (changes(endpoint) || endpoint.sensitive || endpoint.csv))
    return refuse('forbidden', {}, { reason: 'seeingOnly' });
  if (!roleMayCall(role, endpoint)) return refuse('forbidden');
  return memberProblem(endpoint, session);
}

/**
 * A further user of a party makes the changes that its role within the party allows. For a day after a user of a party was made
 * or reset, it changes nothing but its own matters: the admin who handed over its link could have used it. On a party's first
 * day the user that was made with the party is free of this, because there is nothing to take yet.
 */
function memberProblem(endpoint: Endpoint, { viewer, row }: OpenSession): Refusal | undefined {
  const isForAll = typeof endpoint.access === 'string';
  if (isForAll || endpoint.duty === 'own' || !(changes(endpoint) || endpoint.sensitive)) return undefined;
  if (!hasDuty(viewer, endpoint.duty)) return refuse('forbidden', {}, { reason: 'partyRole' });
  return row.isFreshMember ? refuse('forbidden', {}, { reason: 'freshMember' }) : undefined;
}
