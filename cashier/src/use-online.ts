import { useEffect, useState } from 'preact/hooks';

/** What the browser reports. `true` may still mean a connection without internet. */
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
