import { Status, type Tone } from '../figures/status.tsx';
import { useNames } from '../language/names.ts';

const TONES: Readonly<Record<string, Tone>> = {
  linked: 'positive',
  patched: 'pending',
  inferred: 'pending',
  orphan: 'negative',
  fork: 'negative',
  repeat: 'quiet',
  pending: 'warning',
  'no-balance': 'quiet',
};

/** State of a message in its account's chain (contract, LISTED_CHAIN_STATES). */
export function NodeState({ state }: { readonly state: string }) {
  const name = useNames();
  return <Status tone={TONES[state] ?? 'quiet'} label={name('chainNodeStates', state)} />;
}
