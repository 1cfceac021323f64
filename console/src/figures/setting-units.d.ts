/** The units of the settings' numbers, from the contract's table of settings (see vite-plugins.ts). */
declare module 'virtual:setting-units' {
  import type { SettingUnit } from '@sangam/contract/settings.ts';

  export const units: Readonly<Record<string, SettingUnit | Readonly<Record<string, SettingUnit>>>>;
}
