import { usePreference } from '../session/preference.ts';

const isBoolean = (stored: unknown): stored is boolean => typeof stored === 'boolean';

/** Whether this user wants new orders without their sound. */
export const useMuted = () => usePreference('muted', false, isBoolean);
