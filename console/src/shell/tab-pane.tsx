import { Activity, memo, Suspense, useCallback, useMemo, useRef } from 'react';
import { LoadingBar } from './loading-bar.tsx';
import { PageBoundary } from './page-boundary.tsx';
import { pageOf } from './page.tsx';
import { placeAt } from '../navigation/place.ts';
import styles from './shell.module.css';
import { panelId, tabId } from './tab-bar.tsx';
import { TabLocationContext, type SearchChange, type TabLocation } from '../navigation/tab-location.ts';

interface TabPaneProps {
  readonly path: string;
  readonly search: string;
  readonly active: boolean;
  readonly setSearch: (path: string, change: SearchChange, replace: boolean) => void;
  readonly openTab: TabLocation['openTab'];
}

/** A page kept alive in its tab. While hidden, it keeps its state and makes no requests. */
export const TabPane = memo(function TabPane({ path, search, active, setSearch, openTab }: TabPaneProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const getScroller = useCallback(() => scroller.current, []);
  const location = useMemo<TabLocation>(
    () => ({
      path,
      search,
      setSearch: (change, options) => setSearch(path, change, options?.replace ?? false),
      openTab,
      scroller: getScroller,
    }),
    [path, search, setSearch, openTab, getScroller],
  );
  const place = placeAt(path);
  const Page = place && pageOf(place.screen);
  if (!Page) return null;
  return (
    <Activity mode={active ? 'visible' : 'hidden'}>
      <div
        ref={scroller}
        id={panelId(path)}
        role="tabpanel"
        aria-labelledby={tabId(path)}
        className={styles['pane']}
      >
        <TabLocationContext value={location}>
          <PageBoundary>
            <Suspense fallback={<LoadingBar />}>
              <Page {...place} />
            </Suspense>
          </PageBoundary>
        </TabLocationContext>
      </div>
    </Activity>
  );
});
