import { useEffect, useSyncExternalStore } from 'react';
import { paint, type Appearance } from '../theme.ts';
import { usePrefersDark } from './use-media.ts';

const KEY = 'sangam.appearance';

export const APPEARANCES = ['light', 'dark', 'system'] as const;
export type AppearanceChoice = (typeof APPEARANCES)[number];

const listeners = new Set<() => void>();

function choice(): AppearanceChoice {
  const stored = localStorage.getItem(KEY);
  return APPEARANCES.find((known) => known === stored) ?? 'system';
}

export function chooseAppearance(next: AppearanceChoice): void {
  localStorage.setItem(KEY, next);
  listeners.forEach((listener) => listener());
}

export function useAppearanceChoice(): AppearanceChoice {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, choice);
}

export function useAppearance(): Appearance {
  const chosen = useAppearanceChoice();
  const prefersDark = usePrefersDark();
  const appearance = chosen === 'system' ? (prefersDark ? 'dark' : 'light') : chosen;
  useEffect(() => paint(appearance), [appearance]);
  return appearance;
}
