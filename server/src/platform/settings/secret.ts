import { type Setting, SETTINGS, type SettingName } from '@sangam/contract/settings.ts';
import type { Platform } from '../platform.ts';

type WithVault = Pick<Platform, 'vault'>;

export function isSecret(name: SettingName): boolean {
  const { mask }: Setting = SETTINGS[name];
  return mask !== undefined;
}

/** A value as it is stored: a secret is sealed by the vault and written as base64. Empty stays empty. */
export function storedOf({ vault }: WithVault, name: SettingName, value: unknown): unknown {
  return isSecret(name) && value !== ''
    ? vault.seal(String(value), ['settings.value', name]).toString('base64')
    : value;
}

/** A stored value as people write it. */
export function plainOf({ vault }: WithVault, name: SettingName, stored: unknown): unknown {
  return isSecret(name) && stored !== ''
    ? vault.open(Buffer.from(String(stored), 'base64'), ['settings.value', name])
    : stored;
}

/** A stored value as people see it. Of a secret it shows only enough to recognise it. */
export function shownOf(platform: WithVault, name: SettingName, stored: unknown): unknown {
  const { mask }: Setting = SETTINGS[name];
  return mask === undefined || stored === '' ? stored : mask(String(plainOf(platform, name, stored)));
}

/** Opens the value of a secret setting, for the code that uses it. Empty when it is not set. */
export async function openSetting(
  platform: Platform,
  name: 'BotToken' | 'TransferBotToken' | 'SendSmsMessageUrl',
): Promise<string> {
  return String(plainOf(platform, name, (await platform.settings.all())[name]));
}
