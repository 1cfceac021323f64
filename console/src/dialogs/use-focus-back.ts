import { useEffect, useState } from 'react';

/**
 * A closing dialog gives the focus back to the element it was opened from, or, if that is gone, to the drawer around it.
 * Otherwise the focus would move to the top of the page.
 */
export function useFocusBack(): void {
  const [from] = useState(() => {
    const opener = document.activeElement instanceof HTMLElement ? document.activeElement : undefined;
    return { opener, around: opener?.closest('[role=dialog]') };
  });
  useEffect(
    () => () => {
      requestAnimationFrame(() => {
        if (document.activeElement !== document.body) return;
        if (from.opener?.isConnected) from.opener.focus();
        else from.around?.querySelector<HTMLElement>('button, a[href], input')?.focus();
      });
    },
    [from],
  );
}
