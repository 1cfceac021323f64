import type { Confidence } from '@sangam/contract/evidence.ts';
import { useNames } from '../language/names.ts';
import { Status, type Tone } from './status.tsx';

const TONES: Readonly<Record<Confidence, Tone>> = {
  certain: 'positive',
  high: 'positive',
  medium: 'pending',
  low: 'warning',
};

interface VerdictProps {
  readonly verdict: string;
  readonly confidence: Confidence;
}

/** Why matching decided as it did, and how sure it is (contract, evidence.ts). */
export function Verdict({ verdict, confidence }: VerdictProps) {
  const name = useNames();
  return (
    <Status
      tone={TONES[confidence]}
      label={`${name('matchVerdicts', verdict)} · ${name('confidences', confidence)}`}
    />
  );
}
