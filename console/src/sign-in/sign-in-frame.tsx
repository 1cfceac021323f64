import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { LOCALES } from '@sangam/contract/locale.ts';
import { chooseLanguage, LANGUAGE_NAMES } from '../language/language.ts';
import { APPEARANCES, chooseAppearance, useAppearanceChoice } from '../shell/appearance.ts';
import { Mark } from '../shell/mark.tsx';
import { OfflineBanner } from '../shell/offline-banner.tsx';
import styles from './sign-in.module.css';

interface SignInFrameProps {
  readonly heading: string;
  readonly children: ReactNode;
}

/** Around what is shown before anybody is in; without antd. */
export function SignInFrame({ heading, children }: SignInFrameProps) {
  const { t, i18n } = useTranslation();
  const appearance = useAppearanceChoice();
  return (
    <div className={styles['page']}>
      <OfflineBanner />
      <div className={styles['switches']}>
        <select
          aria-label={t('shell.language')}
          value={i18n.language}
          onChange={({ target }) => {
            const chosen = LOCALES.find((locale) => locale === target.value);
            if (chosen) void chooseLanguage(chosen);
          }}
        >
          {LOCALES.map((locale) => (
            <option key={locale} value={locale} lang={locale}>
              {LANGUAGE_NAMES[locale]}
            </option>
          ))}
        </select>
        <select
          aria-label={t('shell.appearance')}
          value={appearance}
          onChange={({ target }) => {
            const chosen = APPEARANCES.find((each) => each === target.value);
            if (chosen) chooseAppearance(chosen);
          }}
        >
          {APPEARANCES.map((each) => (
            <option key={each} value={each}>
              {t(`shell.appearances.${each}`)}
            </option>
          ))}
        </select>
      </div>
      <main className={styles['panel']}>
        <div className={styles['brand']}>
          <Mark size={32} />
          <span>Sangam</span>
        </div>
        <h1>{heading}</h1>
        {children}
      </main>
    </div>
  );
}
