import { createContext, type ComponentChildren } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import {
  PAYER_LOCALES,
  recallLocale,
  rememberLocale,
  translator,
  type PayerLocale,
  type Translate,
} from './locale.ts';

interface Language {
  readonly locale: PayerLocale;
  readonly t: Translate;
  readonly choose: (locale: PayerLocale) => void;
}

const LanguageContext = createContext<Language>({
  locale: 'en-US',
  t: translator('en-US'),
  choose: rememberLocale,
});

/** Each language has its own name for itself, so that a reader of no other language finds it. */
const NAMES = {
  'zh-CN': '简体中文',
  'zh-TW': '繁體中文',
  'en-US': 'English',
  'hi-IN': 'हिन्दी',
  'sw-KE': 'Kiswahili',
} as const satisfies Record<PayerLocale, string>;

export function useLanguage(): Language {
  return useContext(LanguageContext);
}

export function LanguageProvider({ children }: { children: ComponentChildren }) {
  const [locale, setLocale] = useState(recallLocale);
  useEffect(() => {
    document.documentElement.lang = locale;
  }, [locale]);
  const language = useMemo<Language>(
    () => ({
      locale,
      t: translator(locale),
      choose: (chosen) => {
        rememberLocale(chosen);
        setLocale(chosen);
      },
    }),
    [locale],
  );
  return <LanguageContext.Provider value={language}>{children}</LanguageContext.Provider>;
}

export function LanguageSwitch() {
  const { locale, t, choose } = useLanguage();
  return (
    <select
      class="language"
      aria-label={t('language')}
      value={locale}
      onChange={({ currentTarget }) => {
        const chosen = PAYER_LOCALES.find((known) => known === currentTarget.value);
        if (chosen) choose(chosen);
      }}
    >
      {PAYER_LOCALES.map((known) => (
        <option key={known} value={known} lang={known}>
          {NAMES[known]}
        </option>
      ))}
    </select>
  );
}
