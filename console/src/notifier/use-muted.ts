import { usePreference } from '../session/preference.ts';

const isBoolean = (stored: unknown): stored is boolean => typeof stored === 'boolean';

/** Whether this user wants new orders without their sound. */
export const useMuted = () => usePreference('muted', false, isBoolean);

/** Whether this user wants no notice of new orders: the bell alone counts them. */
export const useQuiet = () => usePreference('quiet', false, isBoolean);
