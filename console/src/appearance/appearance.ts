import { paint, type Appearance } from './theme.ts';

const KEY = 'sangam.appearance';

export const APPEARANCES = ['light', 'dark', 'system'] as const;
export type AppearanceChoice = (typeof APPEARANCES)[number];

const listeners = new Set<() => void>();
const systemDark = matchMedia('(prefers-color-scheme: dark)');

/** The viewer's choice of light and dark, kept in this browser. */
export const appearance = {
  choice: (): AppearanceChoice => {
    const stored = localStorage.getItem(KEY);
    return APPEARANCES.find((known) => known === stored) ?? 'system';
  },
  choose: (next: AppearanceChoice): void => {
    localStorage.setItem(KEY, next);
    listeners.forEach((listener) => listener());
  },
  /** The theme that is shown. With the choice 'system' it is the system's. */
  shown: (): Appearance => {
    const chosen = appearance.choice();
    return chosen === 'system' ? (systemDark.matches ? 'dark' : 'light') : chosen;
  },
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    systemDark.addEventListener('change', listener);
    return () => {
      listeners.delete(listener);
      systemDark.removeEventListener('change', listener);
    };
  },
};

/** Sets the page's colours before anything is drawn, and again after every change. */
export function startAppearance(): void {
  paint(appearance.shown());
  appearance.subscribe(() => paint(appearance.shown()));
}
