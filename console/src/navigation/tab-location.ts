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
  /** Shows another place of the console in its own tab, with the query that tab has already unless `change` changes it. */
  readonly openTab: (path: string, change?: SearchChange) => void;
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

/** A change of a query that sets one key, or removes it, and leaves the others as they are. */
export function withParam(name: string, value: string | undefined): SearchChange {
  return (search) => {
    const query = new URLSearchParams(search);
    if (value === undefined) query.delete(name);
    else query.set(name, value);
    return query.size > 0 ? `?${query}` : '';
  };
}

/** One key of this tab's query, and its setter, which leaves no step back. */
export function useTabParam(name: string): [string | undefined, (value: string | undefined) => void] {
  const { search, setSearch } = useTabLocation();
  const value = new URLSearchParams(search).get(name) ?? undefined;
  return [value, (next) => setSearch(withParam(name, next), { replace: true })];
}
