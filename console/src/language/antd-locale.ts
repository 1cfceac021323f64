import type { Locale as AntdLocale } from 'antd/es/locale';
import dayjs from 'dayjs';
import type { Locale } from '@sangam/contract/locale.ts';
import { accompany } from './language.ts';

const LOADERS: Readonly<Record<Locale, () => Promise<readonly [{ readonly default: AntdLocale }, string]>>> =
  {
    'zh-CN': async () => {
      const [antd] = await Promise.all([import('antd/es/locale/zh_CN'), import('dayjs/locale/zh-cn')]);
      return [antd, 'zh-cn'];
    },
    'zh-TW': async () => {
      const [antd] = await Promise.all([import('antd/es/locale/zh_TW'), import('dayjs/locale/zh-tw')]);
      return [antd, 'zh-tw'];
    },
    'en-US': async () => [await import('antd/es/locale/en_US'), 'en'],
  };

let current: AntdLocale | undefined;

/** antd's own texts; there once `startAntdLocale` has been awaited. */
export const currentAntdLocale = (): AntdLocale | undefined => current;

/** Makes antd and its calendars follow the language from now on. */
export const startAntdLocale = (): Promise<void> =>
  accompany(async (locale) => {
    const [antd, calendar] = await LOADERS[locale]();
    current = antd.default;
    dayjs.locale(calendar);
  });
