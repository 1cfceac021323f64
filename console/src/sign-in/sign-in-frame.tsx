/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { LOCALES, type Locale } from '@sangam/contract/locale.ts';
import type { EntryTexts } from 'virtual:entry-texts';
import { LANGUAGE_NAMES, localeOf } from '../language/choice.ts';
import { appearance, APPEARANCES } from '../appearance/appearance.ts';
import notice from '../appearance/notice.module.css';
import styles from './sign-in.module.css';

export interface SignInFrameProps {
  readonly texts: EntryTexts;
  readonly locale: Locale;
  readonly onLocale: (locale: Locale) => void;
}

function useOnline(): boolean {
  const [online, setOnline] = useState(navigator.onLine);
  useEffect(() => {
    const look = () => setOnline(navigator.onLine);
    addEventListener('online', look);
    addEventListener('offline', look);
    return () => {
      removeEventListener('online', look);
      removeEventListener('offline', look);
    };
  }, []);
  return online;
}

/** The frame of all pages before sign-in. */
export function SignInFrame({
  texts,
  locale,
  onLocale,
  title,
  heading,
  children,
}: SignInFrameProps & {
  readonly title: string;
  readonly heading: string;
  readonly children: ComponentChildren;
}) {
  const online = useOnline();
  useEffect(() => {
    document.title = `${title} · Sangam`;
  }, [title]);
  return (
    <div className={styles['page']}>
      {!online && (
        <div className={notice['offline']} role="status">
          {texts.errors.offlineBanner}
        </div>
      )}
      <div className={styles['switches']}>
        <select
          aria-label={texts.shell.language}
          value={locale}
          onChange={({ currentTarget }) => {
            const chosen = localeOf(currentTarget.value);
            if (chosen) onLocale(chosen);
          }}
        >
          {LOCALES.map((each) => (
            <option key={each} value={each} lang={each}>
              {LANGUAGE_NAMES[each]}
            </option>
          ))}
        </select>
        <select
          aria-label={texts.shell.appearance}
          value={appearance.choice()}
          onChange={({ currentTarget }) => {
            const chosen = APPEARANCES.find((each) => each === currentTarget.value);
            if (chosen) appearance.choose(chosen);
          }}
        >
          {APPEARANCES.map((each) => (
            <option key={each} value={each}>
              {texts.shell.appearances[each]}
            </option>
          ))}
        </select>
      </div>
      <main className={styles['panel']}>
        <div className={styles['brand']}>
          <img src="/mark.svg" alt="" width={32} height={32} />
          <span>Sangam</span>
        </div>
        <h1>{heading}</h1>
        {children}
      </main>
    </div>
  );
}
