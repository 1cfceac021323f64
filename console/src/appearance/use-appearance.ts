import { useSyncExternalStore } from 'react';
import type { Appearance } from './theme.ts';
import { appearance, type AppearanceChoice } from './appearance.ts';

export const useAppearanceChoice = (): AppearanceChoice =>
  useSyncExternalStore(appearance.subscribe, appearance.choice);

export const useAppearance = (): Appearance => useSyncExternalStore(appearance.subscribe, appearance.shown);
