import { createContext, use } from 'react';

export type SearchChange = (search: string) => string;

export interface TabLocation {
  readonly path: string;
  readonly search: string;
  /**
   * Changes this tab's query. The address bar follows only while this tab is in front. `change` gets the current query, which may
   * be newer than the one last rendered.
   */
  readonly setSearch: (change: SearchChange, options?: { readonly replace?: boolean }) => void;
  /** Opens another path in its own tab. That tab keeps its query unless `change` changes it. */
  readonly openTab: (path: string, change?: SearchChange) => void;
  /** The element that scrolls this tab's page. */
  readonly scroller: () => HTMLElement | null;
}

export const TabLocationContext = createContext<TabLocation | undefined>(undefined);

/**
 * The location of the tab that a page is in. Pages use this and never the router's location: a hidden page would read the query of
 * the tab in front.
 */
export function useTabLocation(): TabLocation {
  const location = use(TabLocationContext);
  if (!location) throw new Error('no tab location outside a tab');
  return location;
}

/** A change that sets or removes one key of the query and keeps the others. */
export function withParam(name: string, value: string | undefined): SearchChange {
  return (search) => {
    const query = new URLSearchParams(search);
    if (value === undefined) query.delete(name);
    else query.set(name, value);
    return query.size > 0 ? `?${query}` : '';
  };
}

/** One key of this tab's query, with a setter. The setter replaces the history entry, so the browser's Back does not undo it. */
export function useTabParam(name: string): [string | undefined, (value: string | undefined) => void] {
  const { search, setSearch } = useTabLocation();
  const value = new URLSearchParams(search).get(name) ?? undefined;
  return [value, (next) => setSearch(withParam(name, next), { replace: true })];
}
