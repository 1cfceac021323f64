import type { Locale as AntdLocale } from 'antd/es/locale';
import dayjs from 'dayjs';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { Locale } from '@sangam/contract/locale.ts';
import { chooseLocale } from './rule.ts';

const CHOICE_KEY = 'sangam.language';

interface Texts {
  readonly console: object;
  readonly contract: object;
  readonly antd: AntdLocale;
  readonly dayjs: string;
}

/** Each language in chunks of its own: an operator reads one. */
const TEXTS: Readonly<Record<Locale, () => Promise<Texts>>> = {
  'zh-CN': async () => {
    const [console, contract, antd] = await Promise.all([
      import('../locales/zh-CN.json'),
      import('@sangam/contract/locales/zh-CN.json'),
      import('antd/es/locale/zh_CN'),
      import('dayjs/locale/zh-cn'),
    ]);
    return { console: console.default, contract: contract.default, antd: antd.default, dayjs: 'zh-cn' };
  },
  'zh-TW': async () => {
    const [console, contract, antd] = await Promise.all([
      import('../locales/zh-TW.json'),
      import('@sangam/contract/locales/zh-TW.json'),
      import('antd/es/locale/zh_TW'),
      import('dayjs/locale/zh-tw'),
    ]);
    return { console: console.default, contract: contract.default, antd: antd.default, dayjs: 'zh-tw' };
  },
  'en-US': async () => {
    const [console, contract, antd] = await Promise.all([
      import('../locales/en-US.json'),
      import('@sangam/contract/locales/en-US.json'),
      import('antd/es/locale/en_US'),
    ]);
    return { console: console.default, contract: contract.default, antd: antd.default, dayjs: 'en' };
  },
};

/** Each language in its own script, so that whoever reads it finds it. */
export const LANGUAGE_NAMES: Readonly<Record<Locale, string>> = {
  'zh-CN': '简体中文',
  'zh-TW': '繁體中文',
  'en-US': 'English',
};

let antdLocale: AntdLocale;

export const currentAntdLocale = (): AntdLocale => antdLocale;

async function show(locale: Locale): Promise<void> {
  const texts = await TEXTS[locale]();
  i18next.addResourceBundle(locale, 'translation', { ...texts.contract, ...texts.console });
  antdLocale = texts.antd;
  dayjs.locale(texts.dayjs);
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
