import { createContext, use } from 'react';

export type SearchChange = (search: string) => string;

export interface TabLocation {
  readonly path: string;
  readonly search: string;
  /**
   * Changes this tab's query; the address bar follows while the tab is the one shown. `change` is given the query as
   * it is then, which may be newer than the one last rendered.
   */
  readonly setSearch: (change: SearchChange, options?: { readonly replace?: boolean }) => void;
  /** Shows another place of the console, in a tab of its own. */
  readonly openTab: (path: string) => void;
  /** The element that scrolls this tab's page. */
  readonly scroller: () => HTMLElement | null;
}

export const TabLocationContext = createContext<TabLocation | undefined>(undefined);

/**
 * The location of the tab a page lives in. Pages use this and never the router's own: a hidden page would see the
 * query of whichever tab is shown.
 */
export function useTabLocation(): TabLocation {
  const location = use(TabLocationContext);
  if (!location) throw new Error('no tab location outside a tab');
  return location;
}
