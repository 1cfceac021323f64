import { Status, type Tone } from '../figures/status.tsx';
import { useNames } from '../language/names.ts';
import type { Approval } from './approval.ts';

const TONES: Readonly<Record<Approval['status'], Tone>> = {
  pending: 'pending',
  approved: 'positive',
  refused: 'negative',
  expired: 'warning',
  withdrawn: 'quiet',
};

export function ApprovalState({ status }: { readonly status: Approval['status'] }) {
  const name = useNames();
  return <Status tone={TONES[status]} label={name('approvalStatus', status)} />;
}
