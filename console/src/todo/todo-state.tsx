import { Status, type Tone } from '../figures/status.tsx';
import { useNames } from '../language/names.ts';
import type { Todo } from './todo.ts';

const TONES: Readonly<Record<Todo['status'], Tone>> = {
  pending: 'pending',
  approved: 'positive',
  refused: 'negative',
  expired: 'warning',
  withdrawn: 'quiet',
};

export function TodoState({ status }: { readonly status: Todo['status'] }) {
  const name = useNames();
  return <Status tone={TONES[status]} label={name('approvalStatus', status)} />;
}
