import { SETTING_ENDPOINTS } from '@sangam/contract/endpoints/settings.ts';
import * as systemConfig from '@sangam/contract/endpoints/system-config.ts';
import { SETTINGS, type SettingName } from '@sangam/contract/settings.ts';
import { type Route, viewerRoute } from '../../http/route.ts';
import type { Platform } from '../../platform/platform.ts';
import { shownOf } from '../../platform/settings/secret.ts';
import { isRefusal } from '../../platform/refusal.ts';
import { changeSetting } from './change-setting.ts';
import { previewOf } from './preview/preview-setting.ts';
import { listSettingHistory, listSettings } from './list-settings.ts';

/** GET and POST of each setting, as `{enable}` or `{value}`; and the list of all settings for the screen. */
export const settingsRoutes: readonly Route[] = [
  ...SETTING_ENDPOINTS.flatMap(({ name, read, write }) => [
    viewerRoute(read, (platform) => answer(platform, name)),
    viewerRoute(write, async (platform, viewer, input) => {
      const { enable, value, reason } = input as Record<string, unknown> & { readonly reason?: string };
      const refused = await changeSetting(platform, viewer, name, {
        value: SETTINGS[name].kind === 'flag' ? enable : value,
        reason: reason ?? null,
      });
      return isRefusal(refused) ? refused : answer(platform, name);
    }),
  ]),
  viewerRoute(systemConfig.getSettings, listSettings),
  viewerRoute(systemConfig.getSettingHistory, listSettingHistory),
  viewerRoute(systemConfig.previewSetting, previewOf),
];

async function answer(platform: Platform, name: SettingName): Promise<object> {
  const value = shownOf(platform, name, (await platform.settings.all())[name]);
  return SETTINGS[name].kind === 'flag' ? { enable: value } : { value };
}
