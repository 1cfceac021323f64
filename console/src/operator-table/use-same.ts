import { useCallback, useLayoutEffect, useRef } from 'react';

/**
 * A function that never changes and calls the newest `work`, for components that are redrawn only when a prop changes. Do not call
 * it while drawing.
 */
export function useSame<Args extends readonly unknown[]>(
  work: (...args: Args) => void,
): (...args: Args) => void {
  const newest = useRef(work);
  useLayoutEffect(() => {
    newest.current = work;
  });
  return useCallback((...args: Args) => newest.current(...args), []);
}
