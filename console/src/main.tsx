import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { App, ConfigProvider } from 'antd';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { useTranslation } from 'react-i18next';
import { BrowserRouter } from 'react-router';
import './app.css';
import { errorStore } from './error-log/error-store.ts';
import { currentAntdLocale, startLanguage } from './language/language.ts';
import { Root } from './root.tsx';
import { session } from './session/session.ts';
import { useAppearance } from './shell/appearance.ts';
import { antdThemeOf } from './theme.ts';

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

function Console() {
  // Re-renders on a change of language; antd's own texts follow.
  useTranslation();
  const appearance = useAppearance();
  return (
    <ConfigProvider
      locale={currentAntdLocale()}
      theme={antdThemeOf(appearance)}
      // Two-character names of buttons stay as they are written.
      button={{ autoInsertSpace: false }}
    >
      <App style={{ height: '100%' }} message={{ top: 72, maxCount: 4 }}>
        <Root />
      </App>
    </ConfigProvider>
  );
}

await startLanguage();

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root, {
  onUncaughtError: (error) => errorStore.script(error),
  onCaughtError: (error) => errorStore.script(error),
}).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <BrowserRouter>
        <Console />
      </BrowserRouter>
    </QueryClientProvider>
  </StrictMode>,
);
