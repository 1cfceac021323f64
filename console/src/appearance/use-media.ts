import { useSyncExternalStore } from 'react';

/** Below this width the menu is a drawer and tables have no fixed columns. */
const NARROW = '(width < 768px)';

/** A phone held upright. */
const PHONE = '(width <= 480px)';

/** The user's system asks for little movement. */
const STILL = '(prefers-reduced-motion: reduce)';

function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const media = matchMedia(query);
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    () => matchMedia(query).matches,
  );
}

export const useIsNarrow = (): boolean => useMedia(NARROW);

export const useIsPhone = (): boolean => useMedia(PHONE);

export const usePrefersStill = (): boolean => useMedia(STILL);
