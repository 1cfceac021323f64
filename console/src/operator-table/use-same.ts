import { useCallback, useLayoutEffect, useRef } from 'react';

/** The newest `work` as a function that is always the same, for parts that are drawn anew only when a prop changes. Not for use while drawing. */
export function useSame<Args extends readonly unknown[]>(
  work: (...args: Args) => void,
): (...args: Args) => void {
  const newest = useRef(work);
  useLayoutEffect(() => {
    newest.current = work;
  });
  return useCallback((...args: Args) => newest.current(...args), []);
}
