/** @jsxImportSource preact */
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { texts } from 'virtual:entry-texts';
import { chosenLanguage, keepLanguage } from '../language/choice.ts';
import { chunk } from '../navigation/chunk.ts';
import notice from '../appearance/notice.module.css';
import { BindingPage } from './binding-page.tsx';
import { LoginPage } from './login-page.tsx';
import { SetPasswordsPage } from './set-passwords-page.tsx';
import type { SignInFrameProps } from './sign-in-frame.tsx';
import styles from './sign-in.module.css';

/** What is shown before the shell: its four pages, the shell's outline while it loads, or the message that it did not load. */
export type EntryPage = 'login' | 'binding' | 'setPasswords' | 'company' | 'loading' | 'failed';

interface EntryProps {
  readonly page: EntryPage;
  readonly onTyping: () => void;
}

/** Drawn without the shell's React and antd, so that it shows before the rest has loaded. */
export const drawEntry = (place: Element, entry: EntryProps): void => render(<Entry {...entry} />, place);

export const clearEntry = (place: Element): void => render(null, place);

/** Few users come this way, so it is not in the first script. */
function LaterCompanyPage(frame: SignInFrameProps) {
  const [page, setPage] = useState<typeof import('./company-page.tsx')>();
  useEffect(() => {
    void chunk(() => import('./company-page.tsx')).then(setPage);
  }, []);
  return page ? <page.CompanyPage {...frame} /> : null;
}

function Entry({ page, onTyping }: EntryProps) {
  const [locale, setLocale] = useState(chosenLanguage);
  document.documentElement.lang = locale;
  const frame = {
    locale,
    texts: texts[locale],
    onLocale: (next: typeof locale) => {
      keepLanguage(next);
      setLocale(next);
    },
  };
  switch (page) {
    case 'login':
      return <LoginPage {...frame} onTyping={onTyping} />;
    case 'binding':
      return <BindingPage {...frame} />;
    case 'setPasswords':
      return <SetPasswordsPage {...frame} />;
    case 'company':
      return <LaterCompanyPage {...frame} />;
    case 'loading':
      return (
        <div className={styles['outline']} aria-busy>
          <div className={notice['loadingBar']} />
          <aside />
          <header />
        </div>
      );
    case 'failed': {
      const { errors } = frame.texts;
      return (
        <div className={notice['notice']} role="alert">
          <h1>{navigator.onLine ? errors.newVersion : errors.offline}</h1>
          <p>{navigator.onLine ? errors.newVersionHint : errors.offlineHint}</p>
          <button type="button" onClick={() => location.reload()}>
            {errors.reload}
          </button>
        </div>
      );
    }
  }
}
