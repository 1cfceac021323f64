import { useCallback, useEffect, useReducer, useRef } from 'preact/hooks';
import { fetchPage } from './api.ts';
import { useLanguage } from './language.tsx';
import { INITIAL, pollDelay, reduce, type PageEvent, type PageState } from './page-state.ts';
import { startPoller, type Poller } from './poller.ts';

export interface Order {
  readonly state: PageState;
  readonly refresh: () => void;
  readonly submitted: (utr: string) => void;
}

/** Follows one order. Polls while the page is visible, and at once when it becomes visible or the connection returns. */
export function useOrder(token: string): Order {
  const { locale } = useLanguage();
  // The poller outlives renders, so it reads the language from a ref and keeps its own state.
  const language = useRef(locale);
  language.current = locale;
  const poller = useRef<Poller>(undefined);
  const latest = useRef<PageState>(INITIAL);
  const [, redraw] = useReducer((count: number) => count + 1, 0);

  const dispatch = (event: PageEvent): void => {
    latest.current = reduce(latest.current, event);
    redraw(undefined);
  };

  useEffect(() => {
    const running = startPoller({
      ask: (signal) => fetchPage(token, language.current, signal),
      take: (fetched) => {
        dispatch({ kind: 'fetched', fetched });
        return pollDelay(latest.current, Math.random());
      },
      visible: () => document.visibilityState === 'visible',
    });
    poller.current = running;
    document.addEventListener('visibilitychange', running.now);
    window.addEventListener('online', running.now);
    // A page taken back from the browser's back-forward cache has had its timers frozen.
    window.addEventListener('pageshow', running.now);
    return () => {
      document.removeEventListener('visibilitychange', running.now);
      window.removeEventListener('online', running.now);
      window.removeEventListener('pageshow', running.now);
      running.stop();
    };
  }, [token]);

  // Stable across renders: effects that call it must not run again because of it.
  const refresh = useCallback(() => poller.current?.now(), []);

  return {
    state: latest.current,
    refresh,
    submitted: (utr) => {
      dispatch({ kind: 'submitted', utr });
      poller.current?.now();
    },
  };
}
