import { useEffect, useState } from 'preact/hooks';

/** What the browser believes; `true` may still mean a line that leads nowhere. */
export function useOnline(): boolean {
  const [online, setOnline] = useState(navigator.onLine);
  useEffect(() => {
    const read = (): void => setOnline(navigator.onLine);
    window.addEventListener('online', read);
    window.addEventListener('offline', read);
    return () => {
      window.removeEventListener('online', read);
      window.removeEventListener('offline', read);
    };
  }, []);
  return online;
}
