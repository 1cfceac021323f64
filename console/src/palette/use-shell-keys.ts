import { useEffect, useEffectEvent } from 'react';
import { isTyping } from '../operator-table/use-list-keys.ts';

/** Ctrl-K (⌘K) anywhere opens the palette; `?` outside fields opens the help. */
export function useShellKeys(keys: { readonly palette: () => void; readonly help: () => void }): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') keys.palette();
    else if (event.key === '?' && !isTyping(event.target)) keys.help();
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}
