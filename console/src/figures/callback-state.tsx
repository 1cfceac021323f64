import type { endpoints } from 'virtual:endpoints';
import { useNames } from '../language/names.ts';
import type { RowOf } from '../http/call-types.ts';
import { Status, type Tone } from './status.tsx';

type State = RowOf<typeof endpoints.callback.getCallbackList>['state'];

const TONES: Readonly<Record<State, Tone>> = {
  pending: 'pending',
  succeeded: 'positive',
  exhausted: 'negative',
  withdrawn: 'quiet',
};

/** `paused`: the merchant's callbacks wait until somebody resumes them. */
export function CallbackState({
  state,
  paused = false,
}: {
  readonly state: State;
  readonly paused?: boolean;
}) {
  const name = useNames();
  return state === 'pending' && paused ? (
    <Status tone="warning" label={name('callbackStates', 'paused')} />
  ) : (
    <Status tone={TONES[state]} label={name('callbackStates', state)} busy={state === 'pending'} />
  );
}
