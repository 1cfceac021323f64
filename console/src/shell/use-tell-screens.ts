import { useEffect, useMemo } from 'react';
import { endpoints } from 'virtual:endpoints';
import { screenAt } from '@sangam/contract/screens.ts';
import { call } from '../http/client.ts';
import { placeAt } from '../navigation/place.ts';
import type { Tab } from './tabs.ts';

const WAIT_MS = 2_000;
const EVERY_MS = 60_000;

const WINDOW = 'sangam.window';

/** Of this window as long as it is open, also after it is loaded anew. */
function windowIdOf(): string {
  const known = sessionStorage.getItem(WINDOW) ?? crypto.randomUUID();
  sessionStorage.setItem(WINDOW, known);
  return known;
}

/** Tells the server what this window has open, the tab in front first, for the list of online users. */
export function useTellScreens(path: string, tabs: readonly Tab[]): void {
  const open = useMemo(
    () =>
      [...new Set([path, ...tabs.map((tab) => tab.path)])]
        // The tab of one order counts as its list.
        .flatMap((each) => placeAt(each)?.screen.path ?? [])
        .filter((each) => screenAt(each) !== undefined)
        .join(' '),
    [path, tabs],
  );
  useEffect(() => {
    const tell = () => {
      const screens = [...new Set(open.split(' ').filter(Boolean))].slice(0, 40);
      // What is not told now is told in a minute.
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
