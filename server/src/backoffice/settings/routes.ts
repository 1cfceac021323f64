import { SETTING_ENDPOINTS } from '@sangam/contract/endpoints/settings.ts';
import { SETTINGS, type SettingName } from '@sangam/contract/settings.ts';
import { type Route, viewerRoute } from '../../http/route.ts';
import type { Platform } from '../../platform/platform.ts';
import { isRefusal } from '../../platform/refusal.ts';
import { changeSetting } from '../../platform/settings/change-setting.ts';

/** GET and POST of each setting: `{enable}` or `{value}`. */
export const settingsRoutes: readonly Route[] = SETTING_ENDPOINTS.flatMap(({ name, read, write }) => [
  viewerRoute(read, (platform) => answer(platform, name)),
  viewerRoute(write, async (platform, viewer, input) => {
    const refused = await changeSetting(platform, viewer, name, Object.values(input as object)[0]);
    return isRefusal(refused) ? refused : answer(platform, name);
  }),
]);

async function answer(platform: Platform, name: SettingName): Promise<object> {
  const value = (await platform.settings.all())[name];
  return SETTINGS[name].kind === 'flag' ? { enable: value } : { value };
}
