import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { App, ConfigProvider } from 'antd';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { antdThemeOf } from './antd-theme.ts';
import { useCall } from './http/use-call.ts';
import { currentAntdLocale, startAntdLocale } from './language/antd-locale.ts';
import { session } from './session/session.ts';
import { ViewerContext } from './session/viewer.ts';
import { useAppearance } from './shell/appearance.ts';
import { LoadingBar } from './shell/loading-bar.tsx';
import { Notice } from './shell/notice.tsx';
import { Shell } from './shell/shell.tsx';
import { GoogleVerifyPage } from './sign-in/google-verify-page.tsx';

await startAntdLocale();

const queries = new QueryClient({
  defaultOptions: {
    // Retries stall while the window is in the background; a poll comes by soon enough.
    queries: { retry: false, networkMode: 'always' },
    mutations: { retry: false, networkMode: 'always' },
  },
});

// What one user was shown is not kept for the next.
let token = session.token();
session.subscribe(() => {
  if (session.token() === token) return;
  token = session.token();
  queries.clear();
});

/** Everything behind the sign-in page, which comes without it. */
export function Inside({ show }: { readonly show: 'binding' | 'shell' }) {
  // Re-renders on a change of language; antd's own texts follow.
  useTranslation();
  const appearance = useAppearance();
  const locale = currentAntdLocale();
  return (
    <QueryClientProvider client={queries}>
      <ConfigProvider
        {...(locale ? { locale } : {})}
        theme={antdThemeOf(appearance)}
        // Two-character names of buttons stay as they are written.
        button={{ autoInsertSpace: false }}
      >
        <App style={{ height: '100%' }} message={{ top: 72, maxCount: 4 }}>
          {show === 'binding' ? <GoogleVerifyPage /> : <SignedIn />}
        </App>
      </ConfigProvider>
    </QueryClientProvider>
  );
}

/** Loads the user once, then opens the shell. */
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
