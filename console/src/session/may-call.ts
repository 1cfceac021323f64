import type { Access } from '@sangam/contract/endpoint.ts';
import { useViewer } from './viewer.ts';

/** Whether the viewer's role may make a call, as the contract's endpoint says. The console offers nothing else. */
export function useMayCall(): (definition: { readonly access: Access }) => boolean {
  const { access: role } = useViewer();
  return ({ access }) => (typeof access === 'string' ? access === 'anyUser' : access.includes(role));
}
