import { Status, type Tone } from '../figures/status.tsx';
import { useNames } from '../language/names.ts';
import type { Batch, BatchOrder } from './batch.ts';

const TONES: Readonly<Record<Batch['status'], Tone>> = {
  prepared: 'pending',
  exported: 'warning',
  sent: 'pending',
  closed: 'positive',
  cancelled: 'quiet',
};

export function BatchStatus({ status }: { readonly status: Batch['status'] }) {
  const name = useNames();
  return <Status tone={TONES[status]} label={name('batchStatus', status)} busy={status === 'sent'} />;
}

const ROW_TONES: Readonly<Record<BatchOrder['state'], Tone>> = {
  pending: 'pending',
  completed: 'positive',
  failed: 'negative',
  reversed: 'warning',
  rejected: 'negative',
  returned: 'quiet',
};

export function RowState({ state }: { readonly state: BatchOrder['state'] }) {
  const name = useNames();
  return <Status tone={ROW_TONES[state]} label={name('batchRowState', state)} />;
}

const OUTCOME_TONES: Readonly<Record<NonNullable<BatchOrder['proposal']>['outcome'], Tone>> = {
  completed: 'positive',
  failed: 'negative',
  reversed: 'warning',
  inProgress: 'pending',
};

/** The outcome of a payout in the bank's file, before anybody has confirmed it. */
export function Outcome({ outcome }: { readonly outcome: keyof typeof OUTCOME_TONES }) {
  const name = useNames();
  return <Status tone={OUTCOME_TONES[outcome]} label={name('batchOutcome', outcome)} />;
}
