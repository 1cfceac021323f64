import { useEffect, useState } from 'react';

/**
 * A dialog that goes gives the focus back to what it was opened from; where that is gone too, to the drawer it stood in.
 * Otherwise it would be at the head of the page.
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
