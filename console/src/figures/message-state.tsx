import { useNames } from '../language/names.ts';
import { Status, type Tone } from './status.tsx';

const TONES: Readonly<Record<string, Tone>> = {
  matched: 'positive',
  unmatched: 'warning',
  ambiguous: 'warning',
  held: 'pending',
  untrusted: 'negative',
  unparsed: 'warning',
};

/** State of a bank message (contract, MESSAGE_STATES). */
export function MessageState({ state }: { readonly state: string }) {
  const name = useNames();
  return <Status tone={TONES[state] ?? 'quiet'} label={name('messageStates', state)} />;
}
