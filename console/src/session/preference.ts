import { useCallback, useSyncExternalStore } from 'react';
import { readPreference, subscribeToPreferences, writePreference } from './kept-preference.ts';
import { useViewer } from './viewer.ts';

/** A stored choice of the viewer. `accept` checks the stored value and refuses one that is no longer valid. */
export function usePreference<T>(
  name: string,
  fallback: T,
  accept: (stored: unknown) => stored is T,
): [T, (value: T | undefined) => void] {
  const userId = useViewer().user_id;
  const stored = useSyncExternalStore(subscribeToPreferences, () => readPreference(userId, name));
  const set = useCallback((value: T | undefined) => writePreference(userId, name, value), [userId, name]);
  return [accept(stored) ? stored : fallback, set];
}
