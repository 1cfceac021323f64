import type { Locale as AntdLocale } from 'antd/es/locale';
import dayjs from 'dayjs';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { Locale } from '@sangam/contract/locale.ts';
import { chosenLanguage, keepLanguage, LANGUAGE_KEY } from './choice.ts';
import { loadTexts } from './texts.ts';

let antdLocale: AntdLocale | undefined;

/** antd's own texts; present once `startLanguage` has resolved. */
export const currentAntdLocale = (): AntdLocale | undefined => antdLocale;

async function show(locale: Locale): Promise<void> {
  const { own, antd, calendar } = await loadTexts(locale);
  i18next.addResourceBundle(locale, 'translation', Object.assign({}, ...own.map((text) => text.default)));
  antdLocale = antd.default;
  dayjs.locale(calendar);
  document.documentElement.lang = locale;
  await i18next.changeLanguage(locale);
}

/** Loads all texts of the chosen language. Called again after the sign-in page, where the choice may have changed. */
export async function startLanguage(): Promise<void> {
  if (!i18next.isInitialized) {
    await i18next.use(initReactI18next).init({
      resources: {},
      fallbackLng: false,
      interpolation: { escapeValue: false },
      // A language's texts are added when it is first shown.
      partialBundledLanguages: true,
      react: { useSuspense: false },
    });
    // A choice made in another window of this browser applies here too.
    addEventListener('storage', ({ key }) => {
      if (key === LANGUAGE_KEY) void show(chosenLanguage());
    });
  }
  await show(chosenLanguage());
}

export async function chooseLanguage(locale: Locale): Promise<void> {
  keepLanguage(locale);
  await show(locale);
}
