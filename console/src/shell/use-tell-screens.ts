import { useEffect, useMemo } from 'react';
import { endpoints } from 'virtual:endpoints';
import { screenAt } from '@sangam/contract/screens.ts';
import { call } from '../http/client.ts';
import { placeAt } from '../navigation/place.ts';
import type { Tab } from './tabs.ts';

const WAIT_MS = 2_000;
const EVERY_MS = 60_000;

const WINDOW = 'sangam.window';

/** The id of this window. It stays the same when the page is reloaded. */
function windowIdOf(): string {
  const known = sessionStorage.getItem(WINDOW) ?? crypto.randomUUID();
  sessionStorage.setItem(WINDOW, known);
  return known;
}

/** Reports the screens open in this window to the server, the current one first, for the list of online users. */
export function useTellScreens(path: string, tabs: readonly Tab[]): void {
  const open = useMemo(
    () =>
      [...new Set([path, ...tabs.map((tab) => tab.path)])]
        // The tab of a single order counts as its list.
        .flatMap((each) => placeAt(each)?.screen.path ?? [])
        .filter((each) => screenAt(each) !== undefined)
        .join(' '),
    [path, tabs],
  );
  useEffect(() => {
    const tell = () => {
      const screens = [...new Set(open.split(' ').filter(Boolean))].slice(0, 40);
      // A failed report is repeated within a minute.
      call(endpoints.user.tellScreens, { windowId: windowIdOf(), screens }).catch(() => undefined);
    };
    const first = setTimeout(tell, WAIT_MS);
    const again = setInterval(tell, EVERY_MS);
    return () => {
      clearTimeout(first);
      clearInterval(again);
    };
  }, [open]);
}
