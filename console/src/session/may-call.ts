import type { Access } from '@sangam/contract/endpoint.ts';
import { type PartyDuty, hasDuty } from '@sangam/contract/party-roles.ts';
import { useViewer } from './viewer.ts';

interface Definition {
  readonly access: Access;
  readonly duty?: PartyDuty;
}

/**
 * Whether the viewer may make a call, by role and role within the party, according to the contract's endpoint. The console offers
 * nothing else.
 */
export function useMayCall(): (definition: Definition) => boolean {
  const viewer = useViewer();
  return ({ access, duty }) =>
    (typeof access === 'string' ? access === 'anyUser' : access.includes(viewer.access)) &&
    (duty === undefined || hasDuty(viewer, duty));
}
