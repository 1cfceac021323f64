import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { App, ConfigProvider } from 'antd';
import { StrictMode, useLayoutEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { useTranslation } from 'react-i18next';
import { BrowserRouter } from 'react-router';
import { endpoints } from 'virtual:endpoints';
import type { UserInfo } from '@sangam/contract/endpoints/user.ts';
import { antdThemeOf } from './antd-theme.ts';
import { errorStore } from './error-log/error-store.ts';
import { callKey, useCall } from './http/use-call.ts';
import { currentAntdLocale, startLanguage } from './language/language.ts';
import { ViewerContext } from './session/viewer.ts';
import { useAppearance } from './shell/appearance.ts';
import { EntryBoundary } from './shell/entry-boundary.tsx';
import { LoadingBar } from './shell/loading-bar.tsx';
import { Notice } from './shell/notice.tsx';
import { Shell } from './shell/shell.tsx';

/**
 * Opens everything behind the sign-in page in `place`. `viewer`: the signed-in user, where known already; `onDrawn` is called
 * once it is to be seen. The answer takes it away.
 */
export async function openShell(
  place: Element,
  viewer: UserInfo | undefined,
  onDrawn: () => void,
): Promise<() => void> {
  await startLanguage();
  // One for each session: what one user was shown is not kept for the next.
  const queries = new QueryClient({
    defaultOptions: {
      // Retries stall while the window is in the background; a poll comes by soon enough.
      queries: { retry: false, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  if (viewer) queries.setQueryData(callKey(endpoints.user.getInfo, {}), viewer);
  const root = createRoot(place, {
    onUncaughtError: (error) => errorStore.script(error),
    onCaughtError: (error) => errorStore.script(error),
  });
  root.render(
    <StrictMode>
      <BrowserRouter>
        <EntryBoundary>
          <QueryClientProvider client={queries}>
            <Inside onDrawn={onDrawn} />
          </QueryClientProvider>
        </EntryBoundary>
      </BrowserRouter>
    </StrictMode>,
  );
  return () => {
    root.unmount();
    queries.clear();
  };
}

function Inside({ onDrawn }: { readonly onDrawn: () => void }) {
  // Re-renders on a change of language; antd's own texts follow.
  useTranslation();
  const appearance = useAppearance();
  const locale = currentAntdLocale();
  useLayoutEffect(onDrawn, [onDrawn]);
  return (
    <ConfigProvider
      {...(locale ? { locale } : {})}
      theme={antdThemeOf(appearance)}
      // Two-character names of buttons stay as they are written.
      button={{ autoInsertSpace: false }}
    >
      <App style={{ height: '100%' }} message={{ top: 72, maxCount: 4 }}>
        <SignedIn />
      </App>
    </ConfigProvider>
  );
}

/** The user, then the shell. */
function SignedIn() {
  const { t } = useTranslation();
  const info = useCall(endpoints.user.getInfo, {}, { staleMs: Number.POSITIVE_INFINITY });
  if (info.data) {
    return (
      <ViewerContext value={info.data}>
        <Shell />
      </ViewerContext>
    );
  }
  if (info.isError) {
    return (
      <Notice
        heading={t('errors.noUser')}
        text={info.error.message}
        action={t('common.retry')}
        onAction={() => void info.refetch()}
      />
    );
  }
  return <LoadingBar />;
}
