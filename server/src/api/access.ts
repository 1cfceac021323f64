import type { Endpoint } from '@sangam/contract/endpoint.ts';
import * as errorLog from '@sangam/contract/endpoints/error-log.ts';
import * as message from '@sangam/contract/endpoints/message.ts';
import * as user from '@sangam/contract/endpoints/user.ts';
import type { OpenSession } from '../access/open-session.ts';
import { type Refusal, refuse } from '../platform/refusal.ts';

/** technicalMaintenance changes nothing, anywhere: these calls concern only its own session, inbox and console. */
const OWN_MATTERS: ReadonlySet<Endpoint> = new Set<Endpoint>([
  user.login2,
  user.getInfo,
  user.logout,
  user.getSessions,
  user.bindUser,
  user.confirmBind,
  user.bindUserForProfile,
  user.confirmBindForProfile,
  message.hasRead,
  message.removeReaded,
  message.restore,
  errorLog.saveErrorLogger,
  errorLog.saveErrorLoggerUnprefixed,
]);

/** Undefined when this session may call the endpoint; scope and state are the command's matter. */
export function accessProblem(endpoint: Endpoint, session: OpenSession): Refusal | undefined {
  const { role } = session.viewer;
  if (session.stage === 'binding' && endpoint.access !== 'binding') return refuse('mustBind');
  // Said here too, so that a role list which forgot it opens nothing.
  const changes = endpoint.method === 'POST' || endpoint.writes === true;
  if (role === 'technicalMaintenance' && changes && !OWN_MATTERS.has(endpoint)) return refuse('forbidden');
  if (endpoint.access === 'anyUser' || endpoint.access === 'binding') return undefined;
  if (typeof endpoint.access === 'string') throw new Error(`${endpoint.path} is not for sessions`);
  return endpoint.access.includes(role) ? undefined : refuse('forbidden');
}
