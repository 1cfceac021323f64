import { useTranslation } from 'react-i18next';
import { useNames } from '../language/names.ts';
import { valueText } from './setting.ts';

/** The texts of settings: name, effect in a sentence, and a value in a line. */
export function useSettingTexts() {
  const { t } = useTranslation();
  const name = useNames();
  return {
    of: (setting: string) => ({
      label: name('settings', `${setting}.label`),
      effect: name('settings', `${setting}.effect`),
    }),
    value: (value: unknown) => valueText(value, { on: t('systemConfig.on'), off: t('systemConfig.off') }),
  };
}
