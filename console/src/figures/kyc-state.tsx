import { useNames } from '../language/names.ts';
import { Status, type Tone } from './status.tsx';

const TONES = {
  none: 'warning',
  pending: 'pending',
  approved: 'positive',
  rejected: 'negative',
  expired: 'negative',
} as const satisfies Record<string, Tone>;

export function KycState({ state }: { readonly state: keyof typeof TONES }) {
  const name = useNames();
  return <Status tone={TONES[state]} label={name('kyc', state)} />;
}
