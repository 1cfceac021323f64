import type { Platform } from '../platform/platform.ts';
import type { AlertChannel } from './store.ts';

/** The channels outside the console that are set up. */
export async function channelsOf({ config }: Platform): Promise<readonly AlertChannel[]> {
  const channels: AlertChannel[] = [];
  if (config.alertMail) channels.push('mail');
  if (config.alertWebhook) channels.push('webhook');
  return channels;
}
