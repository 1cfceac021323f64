import { usePreference } from '../session/preference.ts';

export const isTexts = (stored: unknown): stored is readonly string[] =>
  Array.isArray(stored) && stored.every((each) => typeof each === 'string');

const NONE: readonly string[] = [];

/** Paths of the screens that the user has pinned to the top of the menu. */
export const usePinned = () => usePreference('menuPinned', NONE, isTexts);
