import type { Locale as AntdLocale } from 'antd/es/locale';
import type { Locale } from '@sangam/contract/locale.ts';

export interface Texts {
  readonly own: readonly { readonly default: object }[];
  readonly antd: { readonly default: AntdLocale };
  /** dayjs' name of the language; its texts are loaded. */
  readonly calendar: string;
}

/** Each language is in chunks of its own, because an operator reads only one. */
const LOADERS: Readonly<Record<Locale, () => Promise<Texts>>> = {
  'zh-CN': async () => {
    const [antd, ...own] = await Promise.all([
      import('antd/es/locale/zh_CN'),
      import('@sangam/contract/locales/zh-CN.json'),
      import('../locales/zh-CN.json'),
      import('dayjs/locale/zh-cn'),
    ]);
    return { antd, own: own.slice(0, 2), calendar: 'zh-cn' };
  },
  'zh-TW': async () => {
    const [antd, ...own] = await Promise.all([
      import('antd/es/locale/zh_TW'),
      import('@sangam/contract/locales/zh-TW.json'),
      import('../locales/zh-TW.json'),
      import('dayjs/locale/zh-tw'),
    ]);
    return { antd, own: own.slice(0, 2), calendar: 'zh-tw' };
  },
  'en-US': async () => {
    const [antd, ...own] = await Promise.all([
      import('antd/es/locale/en_US'),
      import('@sangam/contract/locales/en-US.json'),
      import('../locales/en-US.json'),
    ]);
    return { antd, own, calendar: 'en' };
  },
};

/** Loads all texts of a language, once. */
export const loadTexts = (locale: Locale): Promise<Texts> => LOADERS[locale]();
