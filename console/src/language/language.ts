import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { LOCALES, type Locale } from '@sangam/contract/locale.ts';
import { chooseLocale } from './rule.ts';

const CHOICE_KEY = 'sangam.language';

/** Each language in chunks of its own: an operator reads one. */
const TEXTS: Readonly<Record<Locale, () => Promise<readonly { readonly default: object }[]>>> = {
  'zh-CN': () =>
    Promise.all([import('@sangam/contract/locales/zh-CN.json'), import('../locales/zh-CN.json')]),
  'zh-TW': () =>
    Promise.all([import('@sangam/contract/locales/zh-TW.json'), import('../locales/zh-TW.json')]),
  'en-US': () =>
    Promise.all([import('@sangam/contract/locales/en-US.json'), import('../locales/en-US.json')]),
};

/** Each language in its own script, so that whoever reads it finds it. */
export const LANGUAGE_NAMES: Readonly<Record<Locale, string>> = {
  'zh-CN': '简体中文',
  'zh-TW': '繁體中文',
  'en-US': 'English',
};

type Companion = (locale: Locale) => Promise<void>;

const companions = new Set<Companion>();

/** What else must be in a language before it is shown: loaded now, and with every change of it. */
export async function accompany(load: Companion): Promise<void> {
  companions.add(load);
  const shown = LOCALES.find((locale) => locale === i18next.language);
  if (shown) await load(shown);
}

async function show(locale: Locale): Promise<void> {
  const [texts] = await Promise.all([TEXTS[locale](), ...[...companions].map((load) => load(locale))]);
  i18next.addResourceBundle(locale, 'translation', Object.assign({}, ...texts.map((text) => text.default)));
  document.documentElement.lang = locale;
  await i18next.changeLanguage(locale);
}

export async function startLanguage(): Promise<void> {
  await i18next.use(initReactI18next).init({
    resources: {},
    fallbackLng: false,
    interpolation: { escapeValue: false },
    // Texts are added one language at a time, when it is first shown.
    partialBundledLanguages: true,
    react: { useSuspense: false },
  });
  await show(chooseLocale(localStorage.getItem(CHOICE_KEY), navigator.language));
}

/** The operator's own choice: kept, and from then on above the browser's. */
export async function chooseLanguage(locale: Locale): Promise<void> {
  localStorage.setItem(CHOICE_KEY, locale);
  await show(locale);
}
