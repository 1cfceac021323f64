import { Drawer } from 'antd';
import { type Dispatch, lazy, Suspense, useCallback, useEffect, useReducer, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useLocation, useNavigate } from 'react-router';
import { screenFor } from '@sangam/contract/screens.ts';
import { useErrorDelivery } from '../http/use-error-delivery.ts';
import { Notifier } from '../notifier/notifier.tsx';
import { useShellKeys } from '../palette/use-shell-keys.ts';
import { startRealtime } from '../realtime/realtime.ts';
import { readPreference, writePreference } from '../session/kept-preference.ts';
import { usePreference } from '../session/preference.ts';
import { useViewer } from '../session/viewer.ts';
import { chunk } from '../navigation/chunk.ts';
import { FetchingBar } from './fetching-bar.tsx';
import { admit, FORBIDDEN, HOME } from '../navigation/guard.ts';
import { HeaderBar } from './header-bar.tsx';
import { LoadingBar } from './loading-bar.tsx';
import { MaintenanceBanner } from './maintenance-banner.tsx';
import { Mark } from './mark.tsx';
import { Notice } from './notice.tsx';
import { OfflineBanner } from './offline-banner.tsx';
import { leaveSeeing, SeeingBanner } from './seeing-banner.tsx';
import { SecondPasswordDialog } from './second-password-dialog.tsx';
import styles from './shell.module.css';
import { SideMenu } from './side-menu.tsx';
import { signOut, TABS } from './sign-out.ts';
import { StatusStrip } from './status-strip.tsx';
import { TabBar } from './tab-bar.tsx';
import type { SearchChange, TabLocation } from '../navigation/tab-location.ts';
import { TabPane } from './tab-pane.tsx';
import { isTabs, NO_TABS, reduceTabs, tabAfterClosing, type Tab, type TabAction } from './tabs.ts';
import { useIsNarrow } from '../appearance/use-media.ts';
import { useTellScreens } from './use-tell-screens.ts';
import { usePlaceTitles } from '../navigation/use-titles.ts';

const Palette = lazy(() => chunk(() => import('../palette/palette.tsx')));
const KeyboardHelp = lazy(() => chunk(() => import('../palette/keyboard-help.tsx')));

const isBoolean = (stored: unknown): stored is boolean => typeof stored === 'boolean';

function useTabs(userId: string, role: Parameters<typeof admit>[1]) {
  const [tabs, dispatch] = useReducer(reduceTabs, NO_TABS, (none) => {
    const stored = readPreference(userId, TABS);
    // The role may have lost a screen since.
    const open = isTabs(stored) ? stored.filter((tab) => admit(tab.path, role).kind === 'page') : [];
    return reduceTabs(none, { type: 'restore', tabs: open });
  });
  useEffect(() => writePreference(userId, TABS, tabs), [userId, tabs]);
  return [tabs, dispatch] as const;
}

/** The functions by which pages change tabs. Both are stable, so that no page is redrawn because of them. */
function useTabActions(path: string, tabs: readonly Tab[], dispatch: Dispatch<TabAction>) {
  const navigate = useNavigate();
  const latest = useRef({ path, tabs, navigate });
  useEffect(() => {
    latest.current = { path, tabs, navigate };
  });
  const setSearch = useCallback(
    (tabPath: string, change: SearchChange, replace: boolean) => {
      const now = latest.current;
      if (tabPath === now.path) {
        // While changes follow each other quickly, the address bar is newer than the last rendering.
        void now.navigate({ pathname: tabPath, search: change(window.location.search) }, { replace });
        return;
      }
      const before = now.tabs.find((tab) => tab.path === tabPath)?.search ?? '';
      dispatch({ type: 'visit', path: tabPath, search: change(before) });
    },
    [dispatch],
  );

  const openTab = useCallback<TabLocation['openTab']>((to, change = (search) => search) => {
    const now = latest.current;
    void now.navigate({
      pathname: to,
      search: change(now.tabs.find((tab) => tab.path === to)?.search ?? ''),
    });
  }, []);
  return { setSearch, openTab };
}

export function Shell() {
  const { t } = useTranslation();
  const viewer = useViewer();
  const title = usePlaceTitles();
  const narrow = useIsNarrow();
  const { pathname: path, search } = useLocation();
  const navigate = useNavigate();
  const [collapsed, setCollapsed] = usePreference('menuCollapsed', false, isBoolean);
  const [menuOpen, setMenuOpen] = useState(false);
  const [dialog, setDialog] = useState<'palette' | 'keys'>();
  useEffect(startRealtime, []);
  useErrorDelivery();
  useShellKeys({ palette: () => setDialog('palette'), help: () => setDialog('keys') });
  const [tabs, dispatch] = useTabs(viewer.user_id, viewer.access);
  // A restored tab is not drawn until it is first shown.
  const [visited, setVisited] = useState<ReadonlySet<string>>(new Set());

  const admission = admit(path, viewer.access);
  const shown = admission.kind === 'page' && path !== FORBIDDEN;

  useEffect(() => {
    if (!shown) return;
    dispatch({ type: 'visit', path, search });
    setVisited((before) => (before.has(path) ? before : new Set(before).add(path)));
  }, [shown, path, search, dispatch]);

  const pageTitle = shown
    ? title(admission.place)
    : t(path === FORBIDDEN ? 'errors.forbidden' : 'errors.notFound');
  useEffect(() => {
    document.title = `${pageTitle} · Sangam`;
  }, [pageTitle]);

  useTellScreens(path, tabs);
  const { setSearch, openTab } = useTabActions(path, tabs, dispatch);

  if (admission.kind === 'forbidden') return <Navigate to={FORBIDDEN} replace />;

  /** Opens a screen. Its tab keeps its query, unless `query` is given. */
  const go = (to: string, query?: string) => {
    setMenuOpen(false);
    const open = tabs.find((tab) => tab.path === to);
    void navigate({ pathname: to, search: query ?? (to === path ? search : (open?.search ?? '')) });
  };
  const orders = screenFor(viewer.access, 'collectionOrders');
  const close = (paths: readonly string[]) => {
    const next = tabAfterClosing(tabs, path, paths);
    dispatch({ type: 'close', paths });
    setVisited((before) => new Set([...before].filter((each) => !paths.includes(each))));
    if (paths.includes(path)) void navigate({ pathname: next.path, search: next.search });
  };

  // Home is not kept alive while hidden: it shows only the present.
  const alive = tabs.filter((tab) =>
    tab.path === HOME ? path === HOME : visited.has(tab.path) || tab.path === path,
  );
  const pending = shown && !alive.some((tab) => tab.path === path) ? [{ path, search }] : [];

  return (
    <div className={styles['frame']}>
      <FetchingBar />
      <MenuFrame
        path={path}
        narrow={narrow}
        collapsed={collapsed}
        open={menuOpen}
        onClose={() => setMenuOpen(false)}
        onGo={go}
      />
      <div className={styles['main']}>
        <SeeingBanner />
        <OfflineBanner />
        <MaintenanceBanner />
        <HeaderBar
          path={path}
          collapsed={narrow ? !menuOpen : collapsed}
          onToggleMenu={() => (narrow ? setMenuOpen(true) : setCollapsed(!collapsed))}
          onGo={go}
          onPalette={() => setDialog('palette')}
          notifier={
            viewer.access !== 'merchant' && (
              <Notifier path={path} onShow={(code) => orders && go(orders.path, code && `?open=${code}`)} />
            )
          }
          onSignOut={() => (viewer.seenBy === undefined ? signOut(viewer.user_id) : leaveSeeing())}
        />
        <StatusStrip onGo={go} />
        <main className={styles['work']}>
          <TabBar
            tabs={tabs}
            active={path}
            onGo={(tab) => tab.path !== path && void navigate({ pathname: tab.path, search: tab.search })}
            onClose={close}
          />
          <div className={styles['content']}>
            {[...alive, ...pending].map((tab) => (
              <TabPane
                key={tab.path}
                path={tab.path}
                search={tab.path === path ? search : tab.search}
                active={shown && tab.path === path}
                setSearch={setSearch}
                openTab={openTab}
              />
            ))}
            {!shown && <ErrorPage isForbidden={path === FORBIDDEN} onHome={() => go(HOME)} />}
          </div>
        </main>
      </div>
      <SecondPasswordDialog />
      <Suspense fallback={<LoadingBar />}>
        {dialog === 'palette' && <Palette onClose={() => setDialog(undefined)} onGo={go} />}
        {dialog === 'keys' && <KeyboardHelp onClose={() => setDialog(undefined)} />}
      </Suspense>
    </div>
  );
}

interface MenuFrameProps {
  readonly path: string;
  /** The screen is narrow: the menu is a drawer, shown while `open` is true. */
  readonly narrow: boolean;
  readonly collapsed: boolean;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onGo: (path: string) => void;
}

function MenuFrame({ path, narrow, collapsed, open, onClose, onGo }: MenuFrameProps) {
  const { t } = useTranslation();
  const brand = (
    <div className={styles['brand']}>
      <Mark />
      {(narrow || !collapsed) && <span>Sangam</span>}
    </div>
  );
  if (narrow) {
    return (
      <Drawer
        open={open}
        placement="left"
        size={256}
        title={brand}
        onClose={onClose}
        styles={{ body: { padding: 8 } }}
      >
        <nav aria-label={t('shell.menu')}>
          <SideMenu path={path} collapsed={false} onGo={onGo} />
        </nav>
      </Drawer>
    );
  }
  return (
    <aside className={styles['side']} style={{ width: collapsed ? 64 : 256 }}>
      {brand}
      <nav aria-label={t('shell.menu')} className={styles['sideMenu']}>
        <SideMenu path={path} collapsed={collapsed} onGo={onGo} />
      </nav>
    </aside>
  );
}

interface ErrorPageProps {
  readonly isForbidden: boolean;
  readonly onHome: () => void;
}

function ErrorPage({ isForbidden, onHome }: ErrorPageProps) {
  const { t } = useTranslation();
  return (
    <div className={styles['pane']}>
      <Notice
        code={isForbidden ? '401' : '404'}
        heading={t(isForbidden ? 'errors.forbidden' : 'errors.notFound')}
        text={t(isForbidden ? 'errors.forbiddenHint' : 'errors.notFoundHint')}
        action={t('errors.toHome')}
        onAction={onHome}
      />
    </div>
  );
}
