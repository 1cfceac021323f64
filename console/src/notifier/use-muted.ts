import { usePreference } from '../session/preference.ts';

const isBoolean = (stored: unknown): stored is boolean => typeof stored === 'boolean';

/** Whether this user has switched the sound of new orders off. */
export const useMuted = () => usePreference('muted', false, isBoolean);

/** Whether this user has switched the notice of new orders off. The bell still counts them. */
export const useQuiet = () => usePreference('quiet', false, isBoolean);
