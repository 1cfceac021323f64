import { HOME } from '../navigation/guard.ts';

/** An open page. Each path has at most one tab; its filters change within the tab. */
export interface Tab {
  readonly path: string;
  readonly search: string;
}

export type TabAction =
  | { readonly type: 'visit'; readonly path: string; readonly search: string }
  | { readonly type: 'close'; readonly paths: readonly string[] }
  | { readonly type: 'restore'; readonly tabs: readonly Tab[] };

/** The most tabs. Hidden pages make no requests, but they use memory. */
export const MAX_TABS = 20;

const HOME_TAB: Tab = { path: HOME, search: '' };

export const NO_TABS: readonly Tab[] = [HOME_TAB];

/** The open tabs, left to right. Home is always the first. */
export function reduceTabs(tabs: readonly Tab[], action: TabAction): readonly Tab[] {
  switch (action.type) {
    case 'visit': {
      const { path, search } = action;
      const open = tabs.find((tab) => tab.path === path);
      if (open?.search === search) return tabs;
      if (open) return tabs.map((tab) => (tab === open ? { path, search } : tab));
      const room = tabs.length < MAX_TABS ? tabs : tabs.filter((_, index) => index !== 1);
      return [...room, { path, search }];
    }
    case 'close':
      return tabs.filter((tab) => tab.path === HOME || !action.paths.includes(tab.path));
    case 'restore':
      return [HOME_TAB, ...action.tabs.filter((tab) => tab.path !== HOME).slice(0, MAX_TABS - 1)];
  }
}

export type CloseChoice = 'this' | 'others' | 'right' | 'all';

/** The paths that a choice of the tab menu closes, for the tab at `path`. Home never closes. */
export function pathsToClose(tabs: readonly Tab[], path: string, choice: CloseChoice): readonly string[] {
  const at = tabs.findIndex((tab) => tab.path === path);
  return tabs
    .filter((tab, index) => {
      if (tab.path === HOME) return false;
      switch (choice) {
        case 'this':
          return index === at;
        case 'others':
          return index !== at;
        case 'right':
          return index > at;
        case 'all':
          return true;
      }
    })
    .map((tab) => tab.path);
}

/** The tab to show after closing: the active one if it stays, else the nearest to its right, else to its left. */
export function tabAfterClosing(tabs: readonly Tab[], active: string, closing: readonly string[]): Tab {
  const stays = (tab: Tab) => tab.path === HOME || !closing.includes(tab.path);
  const at = tabs.findIndex((tab) => tab.path === active);
  return (
    tabs.slice(Math.max(at, 0)).find(stays) ?? tabs.slice(0, Math.max(at, 0)).findLast(stays) ?? HOME_TAB
  );
}

/** Whether a stored value is a valid list of tabs. */
export function isTabs(stored: unknown): stored is readonly Tab[] {
  return (
    Array.isArray(stored) &&
    stored.every(
      (tab: unknown) =>
        typeof tab === 'object' &&
        tab !== null &&
        'path' in tab &&
        'search' in tab &&
        typeof tab.path === 'string' &&
        typeof tab.search === 'string',
    )
  );
}
