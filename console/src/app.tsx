import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { App, ConfigProvider } from 'antd';
import { StrictMode, useLayoutEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { useTranslation } from 'react-i18next';
import { BrowserRouter } from 'react-router';
import { endpoints } from 'virtual:endpoints';
import type { UserInfo } from '@sangam/contract/endpoints/user.ts';
import type { Prefetched } from './prefetch.ts';
import { antdThemeOf } from './appearance/antd-theme.ts';
import { errorStore } from './errors/error-store.ts';
import { callKey } from './http/call-key.ts';
import { useCall } from './http/use-call.ts';
import { currentAntdLocale, startLanguage } from './language/language.ts';
import { ViewerContext } from './session/viewer.ts';
import { useAppearance } from './appearance/use-appearance.ts';
import { EntryBoundary } from './shell/entry-boundary.tsx';
import { LoadingBar } from './shell/loading-bar.tsx';
import { Notice } from './shell/notice.tsx';
import { Shell } from './shell/shell.tsx';
import { usePrefersStill } from './appearance/use-media.ts';

/** A prefetched answer counts as fresh for this long, so that the first drawing does not ask for it again. */
const DRAWING_MS = 3_000;

/**
 * The first drawing waits this long for prefetched answers: drawing once with rows is quicker than drawing twice
 * (docs/decisions/console.md).
 */
const PREFETCH_WAIT_MS = 250;

const within = (ms: number, work: Promise<unknown>) =>
  Promise.race([work, new Promise((resolve) => setTimeout(resolve, ms))]);

async function takeOver(queries: QueryClient, { key, answer }: Prefetched): Promise<void> {
  await queries.prefetchQuery({ queryKey: key, queryFn: () => answer });
  queries.setQueryData(key, (data: unknown) => data, { updatedAt: Date.now() + DRAWING_MS });
}

/**
 * Draws the signed-in console in `place`. `viewer`: the signed-in user, if known already; `prefetched`: answers requested
 * already; `onDrawn` is called after the first drawing. Returns a function that removes the console.
 */
export async function openShell(
  place: Element,
  viewer: UserInfo | undefined,
  prefetched: readonly Prefetched[],
  onDrawn: () => void,
): Promise<() => void> {
  await startLanguage();
  // A new client for each session, so that no answer for one user stays for the next.
  const queries = new QueryClient({
    defaultOptions: {
      // No retries: they stall while the window is in the background, and the next poll comes soon anyway.
      queries: { retry: false, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  if (viewer) queries.setQueryData(callKey(endpoints.user.getInfo, {}), viewer);
  await within(PREFETCH_WAIT_MS, Promise.all(prefetched.map((each) => takeOver(queries, each))));
  const root = createRoot(place, {
    onUncaughtError: (error) => errorStore.script(error),
    onCaughtError: (error) => errorStore.script(error),
  });
  root.render(
    <StrictMode>
      <BrowserRouter>
        <EntryBoundary>
          <QueryClientProvider client={queries}>
            <ConsoleApp onDrawn={onDrawn} />
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

function ConsoleApp({ onDrawn }: { readonly onDrawn: () => void }) {
  // Draws again when the language changes, so that antd's own texts change too.
  useTranslation();
  const appearance = useAppearance();
  const still = usePrefersStill();
  const locale = currentAntdLocale();
  useLayoutEffect(onDrawn, [onDrawn]);
  return (
    <ConfigProvider
      {...(locale ? { locale } : {})}
      theme={antdThemeOf(appearance, still)}
      // Otherwise antd puts a space between the two characters of a Chinese button text.
      button={{ autoInsertSpace: false }}
    >
      <App style={{ height: '100%' }} message={{ top: 72, maxCount: 4 }}>
        <SignedIn />
      </App>
    </ConfigProvider>
  );
}

/** Loads the user, then draws the shell. */
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
