import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import './app.css';
import { errorStore } from './error-log/error-store.ts';
import { startLanguage } from './language/language.ts';
import { Root } from './root.tsx';

await startLanguage();

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root, {
  onUncaughtError: (error) => errorStore.script(error),
  onCaughtError: (error) => errorStore.script(error),
}).render(
  <StrictMode>
    <BrowserRouter>
      <Root />
    </BrowserRouter>
  </StrictMode>,
);
