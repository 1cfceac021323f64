import { settingText } from '../figures/record-values.ts';
import { useNames } from '../language/names.ts';

/** The texts of settings: the name, the effect in a sentence, and a value as one line. */
export function useSettingTexts() {
  const name = useNames();
  return {
    of: (setting: string) => ({
      label: name('settings', `${setting}.label`),
      effect: name('settings', `${setting}.effect`),
    }),
    value: (setting: string, value: unknown) => settingText(name, setting, value),
  };
}
